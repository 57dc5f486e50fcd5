// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota --arg=int[16]=0
// DUMP 1: [i + (i + 1) % 16 for i in range(16)]
// All work-items read memory that none of them writes.
kernel void sum(global const int *a, global int *out)
{
    int i = get_global_id(0);
    out[i] = a[i] + a[(i + 1) % 16];
}
