// SPDX-License-Identifier: MIT
// Local memory is each group's own.
// RUN: --global=64 --local=8 --arg=int[64]=0
// DUMP 0: [n // 8 * 8 + 7 - n % 8 for n in range(64)]
kernel void k(global int *o)
{
    local int t[8];
    t[get_local_id(0)] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = t[7 - get_local_id(0)];
}
