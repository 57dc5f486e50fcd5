// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=16 --sub-group-size=8 --arg=int[1]=0 --arg=int[33]=0 --build-options=-cl-std=CL3.0
// DUMP 1: [28, 28, 28, 28, 28, 28, 28, 28, 92, 92, 92, 92, 92, 92, 92, 92] * 2 + [240]
// Work-items that came through a lock one after the other meet again at what all of the sub-group must reach.
int sum(int x) { return sub_group_reduce_add(x); }
kernel void k(global atomic_int *lock, global int *out)
{
    int l = get_local_id(0), zero = 0;
    while (!atomic_compare_exchange_strong_explicit(lock, &zero, 1, memory_order_acquire, memory_order_relaxed, memory_scope_device)) zero = 0;
    out[32] += l;
    atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
    out[get_global_id(0)] = sum(l);
}
