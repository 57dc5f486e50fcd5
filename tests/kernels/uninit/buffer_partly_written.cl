// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=undef --arg=int[8]=undef
// SAYS: never written at bytes 20..23
kernel void k(global int *a, global int *out)
{
    int i = get_global_id(0);
    if (i < 5) a[i] = i;
    out[i] = a[i]; // EXPECT uninitialized-read 'a'
}
