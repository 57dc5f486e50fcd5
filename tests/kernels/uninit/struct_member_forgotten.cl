// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=uchar[64]=undef --arg=int[8]=0
struct item { uchar tag; int value; };
kernel void k(global struct item *items, global int *out)
{
    const int l = get_local_id(0);
    struct item v;
    v.tag = l;
    if (l != 5) v.value = l * 10;
    items[l] = v; // EXPECT uninitialized-read 'v'
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[l] = items[l].tag + items[l].value; // reported where it was stored
}
