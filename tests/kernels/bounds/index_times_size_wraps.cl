// SPDX-License-Identifier: MIT
// Indices so large that the offset in bytes wraps around to one inside: by data, by a constant, and guarded so that only such indices remain.
// RUN: --global=8 --local=8 --arg=long[8]=0,1,2,4611686018427387907,4,5,6,7 --arg=int[8]=0 --arg=long=4611686018427387905
kernel void k(global const long *x, global int *o, long n)
{
    int g = get_global_id(0);
    o[x[g]] = g; // EXPECT out-of-bounds 'o'
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (g == 0) o[0x4000000000000001l] = 1; // EXPECT out-of-bounds 'o'
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (g == 0 && n > 0x3fffffffffffffffl && n < 0x4000000000000003l) o[n] = 1; // EXPECT out-of-bounds 'o'
}
