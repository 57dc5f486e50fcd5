// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=0 --arg=int[4]=0 --build-options=-cl-std=CL2.0
kernel void k(global int *x, global atomic_int *n)
{
    local int t[12];
    const int l = get_local_id(0), g = get_group_id(0);
    t[l] = g;
    if (l < 4) t[8 + l] = g + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(x + 8 * g, t, g ? 8 : 12, 0); // EXPECT data-race 'x'
    wait_group_events(1, &e);
    atomic_fetch_add_explicit(n, 1, memory_order_acq_rel, memory_scope_work_group); // EXPECT data-race 'n'
}
