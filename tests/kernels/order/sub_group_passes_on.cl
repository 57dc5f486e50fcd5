// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --sub-group-size=8 --arg=int[32]=0 --build-options=-cl-std=CL3.0
// Two sub-groups hand over through a flag in local memory; the third reads what it was not given.
kernel void k(global int *out) {
    local int t[8];
    local atomic_int flag;
    int l = get_local_id(0), lane = get_sub_group_local_id();
    if (l == 0) atomic_init(&flag, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    switch (get_sub_group_id()) {
    case 0:
        t[lane] = lane + 1; // OTHER data-race
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        if (lane == 0) atomic_store_explicit(&flag, 1, memory_order_release, memory_scope_work_group);
        break;
    case 1:
        if (lane == 0) while (!atomic_load_explicit(&flag, memory_order_acquire, memory_scope_work_group)) {}
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        out[l] = t[7 - lane];
        break;
    case 2:
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        out[l] = t[7 - lane]; // EXPECT data-race 't'
    }
}
