// SPDX-License-Identifier: MIT
// Pointers to variables of different work-items differ, and to_private keeps them.
// RUN: --global=8 --local=8 --arg=int[8]=0 --build-options=-cl-std=CL2.0
// DUMP 0: [1 if i != 3 else 2 for i in range(8)]
kernel void k(global int *o)
{
    local ulong at[1];
    int i = get_local_id(0), x = 1;
    if (i == 3) at[0] = (ulong)&x;
    barrier(CLK_LOCAL_MEM_FENCE);
    int *p = (int *)at[0];
    private int *q = to_private(p);
    o[i] = (p == &x) + 1;
    *q = 5; // EXPECT address-space 'x'
}
