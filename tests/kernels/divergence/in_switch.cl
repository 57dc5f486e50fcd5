// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota
// DUMP 0: [i + 1 for i in range(8)]
kernel void choose(global int *a)
{
    int lid = get_local_id(0);
    switch (lid) {
    case 0: break;
    default: barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
    }
    a[lid]++;
}
// NOTE: 7 work-items of 8 (local 1..7) are at the barrier at in_switch.cl:9
// NOTE: 1 work-item of 8 (local 0) has returned from the kernel
// NOTE: at the switch on `lid` at in_switch.cl:7:5, case 0 was for work-item 0, not for work-items 1..7
// NOTE: there `lid` was 0 for that case, 1..7 otherwise
