// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota --arg=int[16]=0
// RUN: --global=16 --local=4 --arg=int[16]=iota --arg=int[16]=0
// DUMP 1: by_group(lambda g: [l - 1 if l else 0 for l in range(len(g))])
// What is computed of work-items' numbers is not always small.
kernel void far(global const int *a, global int *b)
{
    size_t l = get_local_id(0);
    int v = a[l * 0x40000000 * 4]; // EXPECT out-of-bounds 'a'
    v += a[l - 1]; // EXPECT out-of-bounds 'a'
    b[get_global_id(0)] = v;
}
