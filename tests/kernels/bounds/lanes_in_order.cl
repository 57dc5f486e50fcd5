// SPDX-License-Identifier: MIT
// Consecutive lanes access consecutive elements; the last or the first few are out of bounds.
// RUN: --global=64 --local=64 --arg=int[50]=7
// RUN: --global=64 --local=32 --arg=int[50]=7
// DUMP 0: [7] * 3 + [i - 3 for i in range(3, 50)]
kernel void k(global int *a)
{
    const int i = get_global_id(0);
    if (i < 60) a[i + 3] = i; // EXPECT out-of-bounds
}
