// SPDX-License-Identifier: MIT
// A struct without two of its members, for one work-item three, is stored: one report for all missing members. Reading it back is not a second error.
// RUN: --global=16 --local=4 --arg=uchar[1024]=undef --arg=int[16]=iota --arg=int[16]=0
// NOTE: 'r' is 48 bytes of private memory (declared at struct_into_an_empty_buffer.cl:16), never written where this was read; it came here through other memory
// NOTE: 16 times in 4 work-groups; shown once
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
    out[g] = make(in[g]); // EXPECT uninitialized-read 'r'
    if (out[g].i > 3) o[g] = 1;
}
