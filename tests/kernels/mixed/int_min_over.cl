// SPDX-License-Identifier: MIT
// RUN: --global=1 --local=1 --arg=int[1]=-2147483648 --arg=int[1]=-1 --arg=int[1]=0
kernel void k(global int *a, global int *b, global int *o) { o[0] = a[0] / b[0]; } // EXPECT division-by-zero
