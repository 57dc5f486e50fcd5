// SPDX-License-Identifier: MIT
// The host lays the struct out in 20 bytes (float[3]), the kernel in 48: the last elements are outside.
// RUN: --global=8 --local=8 --arg=uchar[160]=0 --arg=int[8]=0
// SAYS: its size is not a multiple of 48 bytes, which 'struct s' has in the kernel (c at 0, f at 16, i at 32; a host struct with arrays instead of vectors (float[3] instead of cl_float3) has 20 bytes: c at 0, f at 4, i at 16)
struct s { char c; float3 f; int i; };
kernel void k(global struct s *a, global int *o)
{
    o[get_global_id(0)] = a[get_global_id(0)].i; // EXPECT out-of-bounds 'a'
}
