// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=4 --arg=int[1]=undef
kernel void k(global int *n)
{
    atomic_inc(n); // EXPECT uninitialized-read 'n'
}
