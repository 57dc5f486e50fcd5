// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota --arg=int=2387
// RUN: --global=24 --local=3 --arg=int[24]=iota --arg=int=2387
// RUN: --global=24 --local=8 --arg=int[24]=iota --arg=int=2387
// RUN: --global=24 --local=24 --arg=int[24]=iota --arg=int=2387
// DUMP 0: [x + 6 for x in range(24)]
kernel void k(global int *a, int n)
{
    int i = get_global_id(0);
    if (n & 1 << 0) {
        a[i]++;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    if (n & 1 << 1) {
        a[i]++;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    if (n & 1 << 2) {
        a[i]++;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    if (n & 1 << 3) {
        a[i]++;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    if (n & 1 << 4) {
        a[i]++;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    if (n & 1 << 5) {
        a[i]++;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    if (n & 1 << 6) {
        a[i]++;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    if (n & 1 << 7) {
        a[i]++;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    if (n & 1 << 8) {
        a[i]++;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    if (n & 1 << 9) {
        a[i]++;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    if (n & 1 << 10) {
        a[i]++;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    if (n & 1 << 11) {
        a[i]++;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
