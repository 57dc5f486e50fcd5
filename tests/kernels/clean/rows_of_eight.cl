// SPDX-License-Identifier: MIT
// RUN: --global=16,16 --local=8,8 --arg=int[256]=iota --arg=int[256]=0 --arg=int[256]=0
// RUN: --global=16,16 --local=8,2 --arg=int[256]=iota --arg=int[256]=0 --arg=int[256]=0
// DUMP 1: [3 * (16 * (y ^ 1) + x) + 16 * (y // 8 * 8) + y for y in range(16) for x in range(16)]
// DUMP 2: [16 * y + (x ^ 7) for y in range(16) for x in range(16)]
// Groups 8 wide: rows of consecutive elements, of one element, and backwards.
kernel void rows(global const int *a, global int *b, global int *c)
{
    int x = get_global_id(0), y = get_global_id(1);
    b[y * 16 + x] = 3 * a[(y ^ 1) * 16 + x] + a[y / 8 * 8 * 16 + y];
    c[y * 16 + (x ^ 7)] = a[y * 16 + x];
}
