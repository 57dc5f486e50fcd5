// SPDX-License-Identifier: MIT
// RUN: --global=1 --local=1 --arg=float[1]=1
kernel void k(global float *x)
{
    printf("%d\n", x[0]); // EXPECT printf-mismatch
}
