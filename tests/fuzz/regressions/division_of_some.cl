// RUN: 256 256 7
// SPDX-License-Identifier: MIT
// LLVM 19's vectorizer takes an address that is the same for all lanes from the first one, though a division in it was done in others only.
__kernel void k_7(__global const uint *in, __global uint *out, __global int *count, int n)
{
    int gid = get_global_id(0);
    uint v = gid;
    if ((short)(gid - 1) > 0) v += in[4194304u % (uint)n];
    if ((short)(gid - 2) > 0) v ^= in[(uint)n / 5u % (uint)n] + in[n - n / (n - 30)];
    out[16 * gid] = v;
}
