// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=32 --sub-group-size=8 --build-options=-cl-std=CL3.0 --arg=int[64]=0
// DUMP 0: ([0] * 8 + [1368] * 8 + [0] * 16) * 2
// The first sub-group produces rows, the second consumes them; there is room for two.
kernel void k(global int *out)
{
    local int ring[2][8];
    local atomic_int head, tail;
    int l = get_local_id(0), lane = get_sub_group_local_id();
    if (l == 0) { atomic_init(&head, 0); atomic_init(&tail, 0); }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    if (get_sub_group_id() == 0) {
        for (int r = 0; r < 6; r++) {
            if (lane == 0) while (r - atomic_load_explicit(&tail, memory_order_acquire, memory_scope_work_group) >= 2) {}
            sub_group_barrier(CLK_LOCAL_MEM_FENCE);
            ring[r & 1][lane] = r * 10 + lane;
            sub_group_barrier(CLK_LOCAL_MEM_FENCE);
            if (lane == 0) atomic_store_explicit(&head, r + 1, memory_order_release, memory_scope_work_group);
        }
    } else if (get_sub_group_id() == 1) {
        for (int r = 0; r < 6; r++) {
            if (lane == 0) while (atomic_load_explicit(&head, memory_order_acquire, memory_scope_work_group) <= r) {}
            sub_group_barrier(CLK_LOCAL_MEM_FENCE);
            sum += ring[r & 1][7 - lane];
            sub_group_barrier(CLK_LOCAL_MEM_FENCE);
            if (lane == 0) atomic_store_explicit(&tail, r + 1, memory_order_release, memory_scope_work_group);
        }
    }
    out[get_global_id(0)] = sub_group_reduce_add(sum);
}
