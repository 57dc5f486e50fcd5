// SPDX-License-Identifier: MIT
// RUN: --kernel=pipe --global=8 --local=8 --arg=int[48]=iota --arg=int[8]=0
// Two are enough, too: round r+2's write comes after the barrier of round r+1, which follows all reads of round r.
// DUMP 1: [sum(8 * r + 7 - l for r in range(6)) for l in range(8)]
kernel void pipe(global const int *a, global int *o)
{
    local int t[2][8];
    int l = get_local_id(0), s = 0;
    for (int r = 0; r < 6; r++) {
        t[r & 1][l] = a[8 * r + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        s += t[r & 1][7 - l];
    }
    o[l] = s;
}
