// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=uchar[64]=undef --arg=int[8]=0
// DUMP 1: [(i ^ 1) * 11 for i in range(8)]
// Members are written, padding is not; whole structs go through local memory and back.
struct item { uchar tag; int value; };
kernel void k(global struct item *items, global int *out)
{
    local struct item t[8];
    const int l = get_local_id(0);
    struct item v;
    v.tag = l;
    v.value = l * 10;
    t[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    items[l] = t[l ^ 1];
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[l] = items[l].tag + items[l].value;
}
