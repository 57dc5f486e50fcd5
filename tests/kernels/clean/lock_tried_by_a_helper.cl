// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=32 --sub-group-size=8 --build-options=-cl-std=CL3.0 --arg=int[64]=0
// DUMP 0: [496] * 64
// A lock that a function tries to take, around a function of sub-groups.
bool try_lock(local atomic_int *lock) { int z = 0; return atomic_compare_exchange_strong_explicit(lock, &z, 1, memory_order_acquire, memory_order_relaxed, memory_scope_work_group); }
kernel void k(global int *out)
{
    local atomic_int lock, turn;
    local int sum;
    int l = get_local_id(0);
    if (l == 0) { atomic_init(&lock, 0); sum = 0; }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    bool leader = get_sub_group_local_id() == 0;
    if (leader) while (!try_lock(&lock)) {}
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    int s = sub_group_reduce_add(l);
    if (leader) { sum += s; atomic_store_explicit(&lock, 0, memory_order_release, memory_scope_work_group); }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = sum;
}
