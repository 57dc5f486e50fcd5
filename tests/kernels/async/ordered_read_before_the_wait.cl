// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota --arg=int[16]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
kernel void k(global const int *x, global int *out, global atomic_int *n)
{
    local int t[8];
    const int l = get_local_id(0), g = get_group_id(0);
    event_t e = async_work_group_copy(t, x + 8 * g, 8, 0); // EXPECT data-race 't'
    atomic_fetch_add_explicit(n, 1, memory_order_acq_rel, memory_scope_device);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[8 * g + l] = t[l]; // OTHER data-race
    wait_group_events(1, &e);
}
