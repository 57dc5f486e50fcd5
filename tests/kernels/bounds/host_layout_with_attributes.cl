// SPDX-License-Identifier: MIT
// An attribute of the kernel's struct decides its layout, so the host's struct needs it, too.
// RUN: --global=4 --local=4 --arg=uchar[13]=0 --arg=int[4]=0
// SAYS: its size is not a multiple of 5 bytes, which 'struct packed' has in the kernel (tag at 0, n at 1; a C compiler lays out such members in the same way only with the same types and attributes)
struct __attribute__((packed)) packed {
    char tag;
    int n;
};
kernel void k(global struct packed *p, global int *o)
{
    o[get_global_id(0)] = p[get_global_id(0)].n; // EXPECT out-of-bounds 'p'
}
