// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=float[100]=iota --arg=int=100
kernel void k(global float *a, int n)
{
    for (int i = get_global_id(0); i < n; i += get_local_size(0))
        a[i] *= 2; // EXPECT data-race 'a'
}
