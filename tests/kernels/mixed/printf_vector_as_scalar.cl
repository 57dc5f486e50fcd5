// SPDX-License-Identifier: MIT
// RUN: --global=1 --local=1 --arg=int[1]=1
kernel void k(global int *x)
{
    int4 v = (int4)(x[0]);
    printf("%d\n", v); // EXPECT printf-mismatch
}
