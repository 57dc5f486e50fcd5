// SPDX-License-Identifier: MIT
// RUN: --global=50 --local=16 --build-options=-cl-std=CL2.0 --arg=int[50]=iota --arg=int=50
// RUN: --global=50 --local=16 --build-options=-cl-std=CL3.0 --arg=int[50]=iota --arg=int=50
// DUMP 0: [i * 3 for i in range(50)]
// The last group is smaller; the guard would also do.
kernel void scale(global int *a, int n)
{
    int i = get_global_id(0);
    if (i < n)
        a[i] = a[i] * 3;
}
