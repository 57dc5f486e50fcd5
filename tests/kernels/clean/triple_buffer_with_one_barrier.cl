// SPDX-License-Identifier: MIT
// RUN: --kernel=pipe --global=8 --local=8 --arg=int[48]=iota --arg=int[8]=0
// Three buffers in turn need one barrier a round: the writer of buffer r+3 has passed the barrier of round r+2, after all reads of round r.
// DUMP 1: [sum(8 * r + 7 - l for r in range(6)) for l in range(8)]
kernel void pipe(global const int *a, global int *o)
{
    local int t[3][8];
    int l = get_local_id(0), s = 0;
    for (int r = 0; r < 6; r++) {
        t[r % 3][l] = a[8 * r + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        s += t[r % 3][7 - l];
    }
    o[l] = s;
}
