// SPDX-License-Identifier: MIT
// Consecutive lanes access consecutive elements; the first few are below the beginning, and indices wrap around.
// RUN: --global=64 --local=64 --arg=int[64]=1 --arg=int[64]=0
// DUMP 1: [0 if i < 2 or i > 60 else 1 if i >= 5 else None for i in range(64)]
kernel void k(global const int *a, global int *out)
{
    const uint i = get_global_id(0);
    if (i >= 2 && i <= 60) out[i] = a[i - 5]; // EXPECT out-of-bounds
}
