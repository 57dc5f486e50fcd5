// SPDX-License-Identifier: MIT
// The buffer was given no value before, and the kernel wrote it from what had none: to fill it before the launch would not help.
// RUN: --global=16 --local=4 --arg=uchar[1024]=undef --arg=int[16]=iota --arg=int[16]=0
// NOTE: 'out' is 1024 bytes of global memory (declared at struct_into_an_empty_buffer.cl:21), never written at bytes 436..439, or written in this launch with what had no value itself
// SAYS: help: Give the variable or the memory a value before it is read.
typedef struct {
    char c;
    int i;
    float3 v;
    short s;
} rec;

rec make(int i)
{
    rec r;
    r.c = i;
    if (i != 9) r.i = i * 3;
    return r;
}

kernel void k(global rec *out, global const int *in, global int *o)
{
    int g = get_global_id(0);
    out[g] = make(in[g]);
    if (out[g].i > 3) o[g] = 1; // EXPECT uninitialized-read 'out'
}
