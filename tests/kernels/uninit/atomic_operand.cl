// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[1]=0
// SAYS: given to an atomic operation
kernel void k(global int *a)
{
    int x;
    if (get_local_id(0) & 1) x = 1;
    atomic_add(a, x); // EXPECT uninitialized-read 'x'
}
