// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota
// SAYS: at the switch on `lid` at in_switch.cl:8:5, case 0 was for work-item 0, not for work-items 1..7
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
