// SPDX-License-Identifier: MIT
// RUN: --kernel=relaxed --global=64 --local=16 --arg=int[8]=0 --arg=int[64]=0 --build-options=-cl-std=CL2.0
// RUN: --kernel=one --global=64 --local=16 --arg=int[8]=0 --arg=int[64]=0 --build-options=-cl-std=CL2.0
// RUN: --kernel=sequential --global=64 --local=16 --arg=int[8]=0 --arg=int[64]=0 --build-options=-cl-std=CL2.0
// RUN: --kernel=shared --global=64 --local=16 --arg=int[8]=0 --arg=int[64]=0 --build-options=-cl-std=CL2.0
// RUN: --kernel=acquires --global=64 --local=16 --arg=int[8]=0 --arg=int[64]=0 --build-options=-cl-std=CL2.0
// DUMP 1: [0] * N
// Every compare-exchange fails, so nothing is written, and plain reads beside it do not race.
kernel void relaxed(global atomic_int *a, global int *o)
{
    int g = get_global_id(0), e = 5;
    atomic_compare_exchange_strong_explicit(a + (g & 7), &e, 7, memory_order_relaxed, memory_order_relaxed, memory_scope_device);
    o[g] = ((global int *)a)[g & 7] + e;
}
kernel void one(global atomic_int *a, global int *o)
{
    int g = get_global_id(0), e = 5;
    atomic_compare_exchange_weak_explicit(a, &e, 7, memory_order_relaxed, memory_order_relaxed, memory_scope_device);
    o[g] = ((global int *)a)[0] + e;
}
kernel void sequential(global atomic_int *a, global int *o)
{
    int g = get_global_id(0), e = 5;
    atomic_compare_exchange_strong(a + (g & 7), &e, 7);
    o[g] = ((global int *)a)[g & 7] + e;
}
kernel void shared(global atomic_int *a, global int *o)
{
    local atomic_int t[2];
    int g = get_global_id(0), l = get_local_id(0), e = 5;
    if (l < 2) atomic_init(t + l, 0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    atomic_compare_exchange_strong_explicit(t + (l & 1), &e, 7, memory_order_relaxed, memory_order_relaxed, memory_scope_work_group);
    o[g] = ((local int *)t)[l & 1] + e;
}
// The failure order counts: it acquires.
kernel void acquires(global atomic_int *a, global int *o)
{
    int e = 9;
    if (get_global_id(0) == 40) {
        o[0] = 1;
        atomic_store_explicit(a, 1, memory_order_release, memory_scope_device);
    } else if (get_global_id(0) == 1) {
        do e = 9;
        while (atomic_compare_exchange_strong_explicit(a, &e, 7, memory_order_relaxed, memory_order_acquire, memory_scope_device) || !e);
        o[0] -= 1;
    }
}
