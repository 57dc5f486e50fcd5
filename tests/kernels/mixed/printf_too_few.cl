// SPDX-License-Identifier: MIT
// RUN: --global=1 --local=1 --arg=int[1]=1
kernel void k(global int *x)
{
    printf("%d %d\n", x[0]); // EXPECT printf-mismatch
}
