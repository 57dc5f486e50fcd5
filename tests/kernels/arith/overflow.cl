// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=-2147483648,6,-5,-2147483648 --arg=int[4]=-1,-1,2,2 --arg=int[4]=0
// DUMP 2: [None, -6, -2, -2**30]
kernel void divide(global const int *a, global const int *b, global int *out)
{
    int i = get_global_id(0);
    out[i] = a[i] / b[i]; // EXPECT division-by-zero
}
