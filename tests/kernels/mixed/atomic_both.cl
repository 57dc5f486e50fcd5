// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=4 --arg=int[1]=0
// DUMP 0: [16]
kernel void k(global int *n)
{
    atomic_add(n, 1);
    if (get_local_id(0) == 0) atomic_or(n, 0);
}
