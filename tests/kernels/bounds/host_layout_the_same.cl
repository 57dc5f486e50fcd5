// SPDX-License-Identifier: MIT
// No layout of a C program has another size: the note says what a host compiler does.
// RUN: --global=8 --local=8 --arg=uchar[60]=0 --arg=int[8]=0
// SAYS: its size is not a multiple of 8 bytes, which 'struct pair' has in the kernel (a at 0, b at 4; a C compiler lays out the same members of cl_… types (cl_long, not long) the same way)
struct pair {
    int a;
    float b;
};
kernel void k(global struct pair *p, global int *o)
{
    o[get_global_id(0)] = p[get_global_id(0)].a + (int)p[get_global_id(0)].b; // EXPECT out-of-bounds 'p'
}
