// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --arg=int[32]=0
// DUMP 0: [i + 1 + (1 << 16) for i in range(32)]
// Each half of a word has a work-item of its own.
kernel void halves(global int *out)
{
    local short t[64];
    int lid = get_local_id(0);
    t[2 * lid] = lid + 1;
    t[2 * ((lid + 5) % 32) + 1] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[lid] = ((local int *)t)[lid];
}
