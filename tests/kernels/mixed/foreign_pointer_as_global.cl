// SPDX-License-Identifier: MIT
// The number of a private pointer as one to global memory: the address space is wrong for its owner, too.
// RUN: --global=4 --local=4 --arg=int[4]=0 --arg=ulong[4]=0
// SAYS: read of 4 bytes through a pointer into another address space, to private memory 'x'
kernel void k(global int *o, global ulong *at)
{
    int i = get_global_id(0), x = i;
    at[i] = (ulong)&x;
    barrier(CLK_GLOBAL_MEM_FENCE);
    o[i] = *(global int *)at[3 - i]; // EXPECT address-space 'x'
}
