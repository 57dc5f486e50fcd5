// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
kernel void k(global int *a)
{
    local int n;
    int at = atomic_add(&n, 1);
    a[(at & 7) + 8 * (int)get_group_id(0)] = 1; // EXPECT uninitialized-read 'n'
}
