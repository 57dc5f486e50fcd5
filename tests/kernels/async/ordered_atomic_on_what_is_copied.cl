// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0 --arg=int[4]=0 --build-options=-cl-std=CL2.0
kernel void k(global int *x, global atomic_int *n)
{
    local atomic_int t[8];
    const int l = get_local_id(0);
    atomic_init(&t[l], 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(x, (local int *)t, 8, 0); // OTHER data-race
    atomic_fetch_add_explicit(&t[l / 2], 1, memory_order_relaxed, memory_scope_work_group); // EXPECT data-race 't'
    wait_group_events(1, &e);
    atomic_fetch_add_explicit(&t[l / 2], 1, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_add_explicit(n, 1, memory_order_acq_rel, memory_scope_device);
}
