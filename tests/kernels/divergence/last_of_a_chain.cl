// SPDX-License-Identifier: MIT
// Of several branches that the waiting work-items took differently, the one after which the missing ones are alone.
// RUN: --global=16 --local=16 --arg=uchar[16]=0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3 --arg=int[16]=0
// DUMP 1: None
kernel void k(global const uchar *ops, global int *out)
{
    local int t[16];
    int l = get_local_id(0), op = ops[l], acc = 0;
    if (op == 0)
        acc = 1;
    else if (op == 1)
        acc = 2;
    else if (op == 2)
        acc = 3;
    else
        return;
    t[l] = acc;
    barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    out[l] = l & 4;
}
// NOTE: 12 work-items of 16 (local 0..2, 4..6, 8..10, 12..14) are at the barrier at last_of_a_chain.cl:18
// NOTE: 4 work-items of 16 (local 3, 7, .., 15) have returned from the kernel
// NOTE: the condition `op == 2` at last_of_a_chain.cl:13:17 was true for work-items 2, 6, .., 14, false for work-items 3, 7, .., 15
// NOTE: there `op` was 2 where true, 3 where false
