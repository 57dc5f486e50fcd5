// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota --arg=int[16]=0
// DUMP 1: [i if i < 12 else 0 for i in range(16)]
// SAYS: global (12,0,0)
kernel void some(global const int *a, global int *out)
{
    int i = get_global_id(0);
    global const int *p = i < 12 ? a + i : 0;
    out[i] = *p; // EXPECT null-dereference 'p'
}
