// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota --arg=int=3
// RUN: --global=24 --local=8 --arg=int[24]=iota --arg=int=3
// DUMP 0: [i + 6 for i in range(24)]
// Each work-item has a condition of its own to leave the loop; all come true in the same turn.
kernel void k(global int *a, int n)
{
    int i = get_global_id(0), x = a[i], goal = x + 2 * n;
    while (1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        x++;
        if (x >= goal)
            break;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = x;
}
