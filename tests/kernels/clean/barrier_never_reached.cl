// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota --arg=int=0
// DUMP 0: [i + i % 4 for i in range(16)]
// The trip count differs, and the barrier is reached by none.
kernel void count(global int *a, int flag)
{
    int i = get_global_id(0);
    for (int k = 0; k < i % 4; k++) {
        if (flag)
            barrier(CLK_LOCAL_MEM_FENCE);
        a[i]++;
    }
}
