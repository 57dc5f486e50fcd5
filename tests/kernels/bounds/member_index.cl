// SPDX-License-Identifier: MIT
// The record is out of bounds, not an element of its member: the report does not mention elements.
// RUN: --global=16 --local=16 --arg=int[44]=iota --arg=int[16]=0
// NOTE: 'in' is 176 bytes of global memory (declared at member_index.cl:12)
// NOTE: the access is at offset 184, 8 bytes past its end
// NOTE: the value read is 0
// NOTE: 5 times in 1 work-group; shown once
typedef struct {
    int n, v[3];
} rec;

kernel void k(
    global rec *in, global int *out)
{
    int g = get_global_id(0);
    out[g] = in[g].v[g & 1]; // EXPECT out-of-bounds 'in'
}
