// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=0
kernel void k(global int *o)
{
    local int n;
    for (int i = 0; i < 3; i++) {
        if (get_local_id(0) == 0) n = i; // EXPECT data-race 'n'
        barrier(CLK_LOCAL_MEM_FENCE);
        o[get_local_id(0)] += n; // OTHER data-race
    }
}
