// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota
// RUN: --global=24 --local=3 --arg=int[24]=iota
// RUN: --global=24 --local=8 --arg=int[24]=iota
// RUN: --global=24 --local=24 --arg=int[24]=iota
// DUMP 0: [x + 2 + x % 3 for x in range(24)]
// The trip count differs; every one reaches the barrier in the first two.
kernel void k(global int *a)
{
    int i = get_global_id(0);
    for (int k = 0; k < 2 + i % 3; k++) {
        if (k < 2)
            barrier(CLK_LOCAL_MEM_FENCE);
        a[i]++;
    }
}
