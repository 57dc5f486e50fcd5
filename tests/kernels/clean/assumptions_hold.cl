// SPDX-License-Identifier: MIT
// Assumptions that hold, in a branch, in a loop, before a barrier, and in a string that only looks like one.
// RUN: --global=16 --local=8 --arg=int[16]=iota --arg=int[16]=0 --arg=int=16
// DUMP 1: [sum(i - k for k in range(3) if i % 8 > k) + 1 for i in range(16)]
constant char text[] = "// cldbg-assume-not: 0";
kernel void k(global const int *idx, global int *o, int n)
{
    local int t[8];
    int l = get_local_id(0), g = get_global_id(0);
    int j = idx[g];
    // cldbg-assume: j >= 0 && j < n
    t[l] = j;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 3; i++) {
        // cldbg-assume: i < 3
        if (l > i) {
            o[g] += t[l - i]; //   cldbg-assume: l > 0
        }
    }
    o[g] += text[0] == '/';
}
