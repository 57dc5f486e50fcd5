// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota --arg=int=3
// RUN: --global=24 --local=8 --arg=int[24]=iota --arg=int=3
// DUMP 0: [i + 3 for i in range(24)]
// What was never written is 0 for each group, whatever the one before it left: the loop ends.
kernel void k(global int *a, int n)
{
    int i = get_global_id(0), s = 0;
    for (int x;;) {
        barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
        if (++x == n) // EXPECT uninitialized-read 'x'
            break;
        s += x;
    }
    a[i] += s; // EXPECT uninitialized-read 'x'
}
