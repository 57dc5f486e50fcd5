// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=ulong[4]=0,1,3735928559,140737488355328 --arg=int[4]=iota
// DUMP 1: [0, 1, 2, 3]
// Addresses made from numbers reach nothing.
kernel void forge(global const ulong *where, global int *a)
{
    int i = get_global_id(0);
    if (i) {
        global int *p = (global int *)where[i];
        *p = 7; // EXPECT out-of-bounds address-space null-dereference misaligned-access
    }
    a[i] = i;
}
