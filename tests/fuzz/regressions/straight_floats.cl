// RUN: 51 17 7
// SPDX-License-Identifier: MIT
// LLVM 19 takes unsigned integers to be narrower than they are when it vectorizes straight code that makes floats of them.
__kernel void k_7(__global const uint *in, __global uint *out, __global int *count, int n)
{
    __local uint tile[17];
    int gid = get_global_id(0), lid = get_local_id(0), lsz = get_local_size(0);
    tile[lid] = as_uint((float)~(uint)((ushort)gid < 7));
    barrier(CLK_LOCAL_MEM_FENCE);
    out[16 * gid] = tile[(lid + 1) % lsz];
}
