// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[1]=undef
// SAYS: [uninitialized-read]
// SAYS: [data-race]
// The first `+=` reads a counter that was never zeroed, whichever comes first: the race of the same statement is another error.
kernel void count(global int *n)
{
    n[0] += 1; // EXPECT data-race uninitialized-read 'n'
}
