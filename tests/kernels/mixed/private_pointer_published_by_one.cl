// SPDX-License-Identifier: MIT
// One work-item publishes the address of its variable; all use it.
// RUN: --global=8 --local=8 --arg=int[8]=0
// DUMP 0: [7 if i == 2 else 0 for i in range(8)]
kernel void k(global int *o)
{
    private int *local shared;
    int i = get_local_id(0), x = 5 + i;
    if (i == 2) shared = &x;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[i] = *shared; // EXPECT address-space 'x'
}
