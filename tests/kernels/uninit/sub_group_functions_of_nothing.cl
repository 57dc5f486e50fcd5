// SPDX-License-Identifier: MIT
// RUN: --build-options=-cl-std=CL3.0 --global=64 --local=64 --arg=int[128]=0
// Of the two sub-groups one lacks a value.
kernel void k(global int *r)
{
    int i = get_global_id(0), v;
    if (i != 40) v = i;
    int sum = sub_group_reduce_add(v), first = sub_group_broadcast(v, 3);
    if (i < 32) r[i] = sum;
    r[64 + i] = first;
    if (i >= 32) r[i] = sum; // EXPECT uninitialized-read 'v'
}
