// SPDX-License-Identifier: MIT
// RUN: --global=1 --local=1 --arg=int[8]=0 --arg=int=8
kernel void k(global int *a, int n)
{
    for (int i = 0; i <= n; i++) a[i] = 0; // EXPECT out-of-bounds 'a'
}
