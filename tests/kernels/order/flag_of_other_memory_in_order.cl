// SPDX-License-Identifier: MIT
// What does order both memories by an atomic in one: sequential consistency on both sides, and fences of both.
// RUN: --global=16 --local=16 --kernel=consistent --arg=int[1]=0 --arg=int[2]=0 --build-options=-cl-std=CL2.0
// RUN: --global=16 --local=16 --kernel=fences --arg=int[1]=0 --arg=int[2]=0 --build-options=-cl-std=CL2.0
// RUN: --global=16 --local=16 --kernel=fence_behind_an_acquire --arg=int[1]=0 --arg=int[2]=0 --build-options=-cl-std=CL2.0
// RUN: --global=16 --local=16 --kernel=each_beside_its_data --arg=int[1]=0 --arg=int[2]=0 --build-options=-cl-std=CL2.0
// DUMP 1: [11, 5]
#define BOTH (CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE)
kernel void consistent(global atomic_int *g, global int *d)
{
    local atomic_int f;
    local int x;
    int l = get_local_id(0);
    if (l == 0) atomic_init(&f, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        d[1] = 5;
        atomic_store_explicit(&f, 1, memory_order_seq_cst, memory_scope_work_group);
        x = 6;
        atomic_store_explicit(g, 1, memory_order_seq_cst, memory_scope_work_group);
    }
    if (l == 3) {
        while (atomic_load_explicit(g, memory_order_seq_cst, memory_scope_work_group) == 0) ;
        if (atomic_load_explicit(&f, memory_order_relaxed, memory_scope_work_group) == 1) d[0] = d[1] + x;
    }
}
kernel void fences(global atomic_int *g, global int *d)
{
    local int x;
    int l = get_local_id(0);
    if (l == 0) {
        d[1] = 5;
        x = 6;
        atomic_work_item_fence(BOTH, memory_order_release, memory_scope_work_group);
        atomic_store_explicit(g, 1, memory_order_relaxed, memory_scope_work_group);
    }
    if (l == 3) {
        while (atomic_load_explicit(g, memory_order_relaxed, memory_scope_work_group) == 0) ;
        atomic_work_item_fence(BOTH, memory_order_acquire, memory_scope_work_group);
        d[0] = d[1] + x;
    }
}
kernel void fence_behind_an_acquire(global atomic_int *g, global int *d)
{
    local int x;
    int l = get_local_id(0);
    if (l == 0) {
        d[1] = 5;
        x = 6;
        atomic_work_item_fence(BOTH, memory_order_release, memory_scope_work_group);
        atomic_store_explicit(g, 1, memory_order_release, memory_scope_work_group);
    }
    if (l == 3) {
        while (atomic_load_explicit(g, memory_order_acquire, memory_scope_work_group) == 0) ;
        atomic_work_item_fence(BOTH, memory_order_acquire, memory_scope_work_group);
        d[0] = d[1] + x;
    }
}
kernel void each_beside_its_data(global atomic_int *g, global int *d)
{
    local atomic_int f;
    local int x;
    int l = get_local_id(0);
    atomic_int *flags[2] = {g, &f};
    if (l == 0) atomic_init(&f, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        d[1] = 5;
        x = 6;
        for (int i = 0; i < 2; i++) atomic_store_explicit(flags[i], 1, memory_order_release, memory_scope_work_group);
    }
    if (l == 3) {
        for (int i = 0; i < 2; i++)
            while (atomic_load_explicit(flags[i], memory_order_acquire, memory_scope_work_group) == 0) ;
        d[0] = d[1] + x;
    }
}
