// SPDX-License-Identifier: MIT
// Members of a stored struct lack a value for two reasons: both are reported, whatever was missing first.
// RUN: --global=16 --local=4 --arg=uchar[256]=undef --arg=int[16]=iota
// RUN: --global=16 --local=4 --arg=uchar[256]=0 --arg=int[16]=iota
// NOTE: 'q' is 16 bytes of private memory (declared at struct_without_members_of_two_variables.cl:20), never written at bytes 8..11
// NOTE: 16 times in 4 work-groups; shown once
// NOTE: variable 'y' declared at struct_without_members_of_two_variables.cl:21 has no value on this path; it came here through other memory
// NOTE: 15 times in 4 work-groups; shown once
typedef struct {
    int a, b, c, d;
} quad;

void fill(quad *q, int v, int b)
{
    q->a = v;
    q->b = b;
}
kernel void k(global quad *out, global const int *in)
{
    quad q;
    int i = get_global_id(0), y;
    if (in[i] == 3) y = 1;
    fill(&q, i, y);
    q.d = 1;
    out[i] = q; // EXPECT uninitialized-read 'q' 'y'
}
