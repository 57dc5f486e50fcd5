// SPDX-License-Identifier: MIT
// RUN: --global=1 --local=1 --arg=int[12]=iota
// DUMP 0: [0, 1, 0, 1, 2, 3, 4, 5, 6, 7, 10, 11]
// SAYS: copy of 32 bytes between overlapping parts of global memory 'x'
// SAYS: the destination begins 8 bytes after the source
struct row { int v[8]; };
kernel void shift(global int *x)
{
    global struct row *from = (global struct row *)x, *to = (global struct row *)(x + 2);
    *to = *from; // EXPECT overlapping-copy 'x'
}
