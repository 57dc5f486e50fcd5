// SPDX-License-Identifier: MIT
// A scope that is computed, but the same for the whole group: of each group another one, too.
// RUN: --global=32 --local=16 --arg=int[32]=iota --build-options=-cl-std=CL2.0
// DUMP 0: [(i ^ 1) + 2 for i in range(32)]
kernel void k(global int *a)
{
    local int t[16];
    int i = get_global_id(0), l = get_local_id(0);
    memory_scope scope = (i - l) / 16 ? memory_scope_device : memory_scope_work_group;
    t[l] = a[i];
    work_group_barrier(CLK_LOCAL_MEM_FENCE, scope);
    a[i] = t[l ^ 1] + 2;
    work_group_barrier(CLK_GLOBAL_MEM_FENCE, scope);
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE, scope);
}
