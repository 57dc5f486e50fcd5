// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=undef --arg=int[8]=undef
// SAYS: 'a' is 32 bytes of global memory
// SAYS: never written at bytes 0..3
kernel void k(global int *a, global int *out)
{
    int i = get_global_id(0);
    out[i] = a[i] + 1; // EXPECT uninitialized-read 'a'
}
