// SPDX-License-Identifier: MIT
// Scopes of the work-group that hold all who come: a counter of each group, one that is handed to the next group in order, and
// atomic_… of OpenCL 1.x beside them.
// RUN: --global=64 --local=16 --arg=int[4]=0 --arg=int[1]=0 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// DUMP 0: [120, 376, 632, 888]
// DUMP 1: [2016]
// DUMP 2: [64]
kernel void k(global atomic_int *own, global atomic_int *handed, global int *old, global atomic_int *turn)
{
    int i = get_global_id(0), l = get_local_id(0), g = get_group_id(0);
    atomic_fetch_add_explicit(&own[g], i, memory_order_relaxed, memory_scope_work_group);
    atomic_inc(old);
    if (l == 0)
        while (atomic_load_explicit(turn, memory_order_acquire, memory_scope_device) != g) ;
    work_group_barrier(CLK_GLOBAL_MEM_FENCE);
    atomic_fetch_add_explicit(handed, i, memory_order_relaxed, memory_scope_work_group);
    work_group_barrier(CLK_GLOBAL_MEM_FENCE);
    if (l == 0) atomic_store_explicit(turn, g + 1, memory_order_release, memory_scope_device);
}
