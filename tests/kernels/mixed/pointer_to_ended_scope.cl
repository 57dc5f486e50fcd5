// SPDX-License-Identifier: MIT
// RUN: --global=1 --local=1 --arg=int[1]=0
int *f(void) { int x[2] = {1, 2}; int *p = x; return p; }
kernel void k(global int *o) { o[0] = f()[1]; } // EXPECT use-after-release
