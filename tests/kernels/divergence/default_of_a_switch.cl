// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=uchar[16]=0,1,2,3,0,1,2,3,0,1,2,3,0,1,2,3 --arg=int[16]=0
// DUMP 1: None
kernel void k(global const uchar *ops, global int *out)
{
    local int t[16];
    int l = get_local_id(0), acc = 0;
    switch (ops[l]) {
    case 0: acc = 1; break;
    case 1: acc = 2; break;
    case 2: acc = 3; break;
    default: return;
    }
    t[l] = acc;
    barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    out[l] = l & 4;
}
// NOTE: 12 work-items of 16 (local 0..2, 4..6, 8..10, 12..14) are at the barrier at default_of_a_switch.cl:15
// NOTE: 4 work-items of 16 (local 3, 7, .., 15) have returned from the kernel
// NOTE: at the switch on `ops[l]` at default_of_a_switch.cl:8:5, case 2 was for work-items 2, 6, .., 14, the default (or no case) for work-items 3, 7, .., 15
// NOTE: there `ops[l]` was 2 for that case, 3 otherwise
