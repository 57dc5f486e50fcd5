// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=16 --arg=int[32]=iota --build-options=-cl-std=CL2.0
// SAYS: warning: the scope of this barrier differs between work-items of the group
// SAYS: memory_scope_work_group, given by work-item local (0,0,0)
// SAYS: memory_scope_device, given by work-item local (1,0,0)
// SAYS: help: Give the barrier the same flags and the same scope
// DUMP 0: [i + 2 for i in range(32)]
kernel void k(global int *a)
{
    int i = get_global_id(0);
    a[i]++;
    work_group_barrier(CLK_GLOBAL_MEM_FENCE, i & 1 ? memory_scope_device : memory_scope_work_group); // EXPECT barrier-divergence
    a[i]++;
}
