// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[8]=iota --arg=int[16]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
kernel void k(global const int *x, global int *out, global atomic_int *n)
{
    local int t[8], u[8];
    const int l = get_local_id(0);
    t[l] = l; // EXPECT data-race 't'
    event_t e = async_work_group_copy(u, x, 8, 0);
    wait_group_events(1, &e);
    out[get_global_id(0)] = t[7 - l] + u[l]; // OTHER data-race
    atomic_fetch_add_explicit(n, 1, memory_order_acq_rel, memory_scope_device);
}
