// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota --arg=int[16]=0
// SAYS: the access is at offset 64, just past its end
kernel void k(global int *x, global int *o)
{
    int i = get_global_id(0);
    o[i] = x[i + 1]; // EXPECT out-of-bounds 'x'
}
