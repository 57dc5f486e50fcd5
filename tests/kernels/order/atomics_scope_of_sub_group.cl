// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --sub-group-size=8 --arg=int[4]=0 --build-options=-cl-std=CL2.0
// SAYS: both are atomic, but memory_scope_sub_group does not include the other sub-group: use memory_scope_work_group
kernel void k(global int *d)
{
    local atomic_int f, own[4];
    int l = get_local_id(0);
    if (l == 0) atomic_init(&f, 0);
    if (l < 4) atomic_init(&own[l], 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit(&own[l / 8], l, memory_order_relaxed, memory_scope_sub_group);
    atomic_fetch_add_explicit(&f, l, memory_order_relaxed, memory_scope_sub_group); // EXPECT data-race 'f'
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 4) d[l] = atomic_load_explicit(&own[l], memory_order_relaxed, memory_scope_sub_group);
}
