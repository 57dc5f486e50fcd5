// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[32]=0 --arg=ulong[1]=0 --arg=local:int[8] --build-options=-cl-std=CL2.0
kernel void k(global int *o, global ulong *first, local int *tile)
{
    int l = get_local_id(0);
    tile[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) atom_cmpxchg(first, 0ul, (ulong)tile);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int *p = (int *)atom_or(first, 0ul); // generic
    o[get_global_id(0)] = p[l]; // EXPECT address-space 'tile'
}
