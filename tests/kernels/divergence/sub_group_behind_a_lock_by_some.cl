// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --sub-group-size=8 --arg=int[1]=0 --arg=int[8]=0 --build-options=-cl-std=CL3.0
// SAYS: 7 of the 8 work-items of the sub-group are here: work-items 0, 2..7; work-item 1 is not
// A work-item that is delayed by the lock is waited for; one that never comes is reported.
kernel void k(global atomic_int *lock, global int *out)
{
    int l = get_local_id(0), zero = 0;
    while (!atomic_compare_exchange_strong_explicit(lock, &zero, 1, memory_order_acquire, memory_order_relaxed, memory_scope_device)) zero = 0;
    atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
    if (l != 1) out[l] = sub_group_reduce_add(l); // EXPECT barrier-divergence
}
