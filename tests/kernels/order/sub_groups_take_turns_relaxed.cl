// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --sub-group-size=8 --arg=int[1]=0 --build-options=-cl-std=CL3.0
// Sub-groups come one after the other; that a turn is seen orders nothing without release and acquire.
kernel void k(global int *out)
{
    local atomic_int turn;
    int me = get_sub_group_id(), first = get_sub_group_local_id() == 0;
    if (get_local_id(0) == 0) atomic_init(&turn, 0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (first)
        while (atomic_load_explicit(&turn, memory_order_relaxed, memory_scope_work_group) != me) {}
    sub_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    int sum = sub_group_reduce_add(1);
    if (first) {
        out[0] += sum; // EXPECT data-race
        atomic_store_explicit(&turn, me + 1, memory_order_relaxed, memory_scope_work_group);
    }
}
