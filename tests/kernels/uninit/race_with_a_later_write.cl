// SPDX-License-Identifier: MIT
// The buffer was never written before it is read; that it is overwritten later, without a barrier, is a second error.
// A barrier there would not give the read a value.
// RUN: --global=64 --local=64 --arg=int[64]=undef --arg=int[64]=0
// RUN: --global=64 --local=16 --arg=int[64]=undef --arg=int[64]=0
kernel void k(global int *x, global int *out)
{
    int i = get_global_id(0);
    int v = x[63 - i]; // OTHER data-race
    out[i] = v;        // EXPECT uninitialized-read 'x'
    x[i] = i;          // EXPECT data-race 'x'
}
