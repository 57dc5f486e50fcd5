// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
kernel void k(global int *a)
{
    int4 v;
    v.xyz = (int3)(1, 2, 3);
    if (get_global_id(0) == 3) printf("%v4d\n", v); // EXPECT uninitialized-read 'v'
}
