// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=float[8]=1
kernel void k(global float *a)
{
    int i = get_global_id(0);
    float x;
    if (i) x = 2;
    a[i] = sqrt(x) + pow(x, 2.0f); // EXPECT uninitialized-read 'x'
}
