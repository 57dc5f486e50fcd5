// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota --arg=int[16]=0
// SAYS: the access is at offset 64, just past its end
// SAYS: that is element 16, by the index `i + 1`; it has elements 0 to 15
kernel void k(global int *x, global int *o)
{
    int i = get_global_id(0);
    o[i] = x[i + 1]; // EXPECT out-of-bounds 'x'
}
