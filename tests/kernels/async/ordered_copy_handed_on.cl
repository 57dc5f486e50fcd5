// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=8 --arg=int[32]=0 --arg=int[32]=0 --arg=int[4]=0 --build-options=-cl-std=CL2.0
// DUMP 1: [0] * 8 + list(range(16)) + [0] * 8
// The next group copies what a group's copy wrote: a flag is set after the wait, and read before the other copy starts.
kernel void k(global int *x, global int *out, global atomic_int *ready)
{
    local int t[8], u[8];
    const int l = get_local_id(0), g = get_group_id(0);
    t[l] = 8 * g + l;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(x + 8 * g, t, 8, 0);
    wait_group_events(1, &e);
    if (l == 3) atomic_store_explicit(&ready[g], 1, memory_order_release, memory_scope_device);
    if (g == 0) return;
    while (!atomic_load_explicit(&ready[g - 1], memory_order_acquire, memory_scope_device)) {}
    e = async_work_group_copy(u, x + 8 * (g - 1), 8, 0);
    wait_group_events(1, &e);
    out[8 * g + l] = u[l];
}
