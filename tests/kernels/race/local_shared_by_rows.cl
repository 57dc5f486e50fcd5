// SPDX-License-Identifier: MIT
// RUN: --global=4,4 --local=4,4 --arg=int[16]=0
kernel void k(global int *o)
{
    local int t[4];
    t[get_local_id(0)] = get_local_id(1); // EXPECT data-race 't'
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(1) * 4 + get_global_id(0)] = t[get_local_id(0)];
}
