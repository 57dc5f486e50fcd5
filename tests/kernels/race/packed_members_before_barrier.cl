// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=uchar[112]=0 --arg=int[16]=0
struct __attribute__((packed)) record { uchar tag; int value; ushort more; };
kernel void k(global struct record *r, global int *out)
{
    const int i = get_global_id(0);
    r[i].tag = i;
    r[i].value = i * 100;
    barrier(CLK_GLOBAL_MEM_FENCE);
    r[i].more = i * 3; // OTHER data-race
    out[i] = r[i ^ 1].tag + r[i ^ 1].value + r[i ^ 1].more; // EXPECT data-race 'r'
}
