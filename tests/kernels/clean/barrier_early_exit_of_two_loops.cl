// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota --arg=int=5
// RUN: --global=24 --local=3 --arg=int[24]=iota --arg=int=5
// RUN: --global=24 --local=8 --arg=int[24]=iota --arg=int=5
// RUN: --global=24 --local=24 --arg=int[24]=iota --arg=int=5
// DUMP 0: [x + 4 for x in range(24)]
kernel void k(global int *a, int n)
{
    int i = get_global_id(0);
    int s = 0;
    for (int x = 0; x < n; x++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int y = 0; y < n; y++) {
            barrier(CLK_LOCAL_MEM_FENCE);
            s++;
            if (y == x)
                break;
        }
        if (s > 3)
            break;
    }
    a[i] += min(s, 4);
}
