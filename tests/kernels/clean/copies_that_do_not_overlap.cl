// SPDX-License-Identifier: MIT
// Side by side, onto itself wholly (which C allows), between two arguments, and write-only memory that is only written.
// RUN: --global=2 --local=2 --arg=int[16]=iota --arg=wo:int[16]=0
// DUMP 0: [0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2, 3, 4, 5, 6, 7]
// DUMP 1: [0, 1, 2, 3, 4, 5, 6, 7, 0, 0, 0, 0, 0, 0, 0, 0]
struct row { int v[8]; };
kernel void shift(global struct row *x, global struct row *out)
{
    if (get_global_id(0)) return;
    x[1] = x[0];
    x[1] = *&x[1];
    out[0] = x[1];
}
