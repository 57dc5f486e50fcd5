// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=uchar[112]=0 --arg=int[16]=0
// DUMP 1: [(i ^ 1) * 104 for i in range(16)]
// Structs of seven bytes side by side: members at any address, without touching their neighbors' bytes.
struct __attribute__((packed)) record { uchar tag; int value; ushort more; };
kernel void k(global struct record *r, global int *out)
{
    const int i = get_global_id(0);
    r[i].tag = i;
    r[i].value = i * 100;
    r[i].more = i * 3;
    barrier(CLK_GLOBAL_MEM_FENCE);
    const int n = i ^ 1;
    out[i] = r[n].tag + r[n].value + r[n].more;
}
