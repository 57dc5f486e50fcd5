// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=float[16]=1
// SAYS: 'sum' is 16 bytes of private memory
kernel void k(global float *a)
{
    float sum[4];
    for (int i = 0; i < 16; i++)
        sum[i & 3] += a[i] * 0.5f;
    float all = sum[0] + sum[1] + sum[2] + sum[3];
    if (get_group_id(0) == 0 && all > 1) return; // EXPECT uninitialized-read 'sum'
}
