// SPDX-License-Identifier: MIT
// The first index chooses the pointer: it is not an index into the memory that the pointer leads to.
// RUN: --global=16 --local=16 --arg=int[16]=iota --arg=int[8]=iota --arg=int[16]=0
// NOTE: 'b' is 32 bytes of global memory (declared at array_of_pointers.cl:8)
// NOTE: the access is at offset 36, 4 bytes past its end
// NOTE: the value read is 0
// NOTE: 4 times in 1 work-group; shown once
kernel void k(
    global int *a, global int *b, global int *out)
{
    int g = get_global_id(0);
    global int *both[2] = {a, b};
    out[g] = both[g & 1][g]; // EXPECT out-of-bounds 'b'
}
