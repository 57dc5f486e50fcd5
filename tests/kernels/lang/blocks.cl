// SPDX-License-Identifier: MIT
// RUN: --build-options=-cl-std=CL2.0 --global=8 --local=4 --arg=int[8]=iota --arg=int=10 --arg=int[8]=0
// DUMP 2: [(i * i + 1) * 10 + i + 7 for i in range(8)]
// Blocks that are called where they are known: with and without variables of their surroundings.
typedef int (^unary)(int);
kernel void blocks(global const int *a, int by, global int *r)
{
    int i = get_global_id(0), more = 7;
    const unary square = ^(int x) { return x * x + 1; };
    const unary scaled = ^(int x) { return x * by + more; };
    r[i] = scaled(square(a[i])) + a[i];
}
