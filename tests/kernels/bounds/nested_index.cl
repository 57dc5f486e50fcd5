// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=float[8]=0
// NOTE: 'W' is 48 bytes of constant memory (declared at nested_index.cl:7)
// NOTE: the access is at offset 60, 12 bytes past its end
// NOTE: that is element 15 of the flattened array, by the indices `[P[g < 6 ? g : 0]][g & 3]`; it has elements 0 to 11
// NOTE: the value read is 0
constant float W[3][4] = {{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
constant int P[] = {0, 1, 2, 3, 2, 1};
kernel void k(global const int *in, global float *out)
{
    int g = get_global_id(0);
    out[g] = W[P[g < 6 ? g : 0]][g & 3]; // EXPECT out-of-bounds 'W'
}
