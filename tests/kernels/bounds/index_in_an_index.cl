// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
// SAYS: that is element 4, by the index `b[b[g & 3] + (g & 3)] + g`; it has elements 0 to 3
kernel void k(global int *out)
{
    int g = get_global_id(0), b[4] = {0};
    out[g] = b[b[b[g & 3] + (g & 3)] + g]; // EXPECT out-of-bounds 'b'
}
