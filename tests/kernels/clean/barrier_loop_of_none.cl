// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=8 --arg=int[24]=iota --arg=int=0
// RUN: --global=24 --local=8 --arg=int[24]=iota --arg=int=-4
// DUMP 0: [i * 2 for i in range(24)]
// Loops with barriers that go round not at all, or once.
kernel void k(global int *a, int n)
{
    int i = get_global_id(0), x = a[i];
    for (int k = 0; k < n; k++) barrier(CLK_LOCAL_MEM_FENCE);
    do {
        barrier(CLK_LOCAL_MEM_FENCE);
        x += a[i];
    } while (n > 0);
    while (n > 0) {
        barrier(CLK_LOCAL_MEM_FENCE);
        n--;
        x = 0;
    }
    a[i] = x;
}
