// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=32 --sub-group-size=8 --build-options=-cl-std=CL3.0 --arg=int[64]=0
// DUMP 0: [8 * [28, 92, 156, 220][l // 8] + 8 * 28 for l in range(32)] * 2
// Sub-groups of a group go on independently of one another (cl_khr_subgroups): a turn goes round, with barriers and functions of sub-groups between.
kernel void k(global int *out)
{
    local atomic_int turn;
    int l = get_local_id(0);
    if (l == 0) atomic_init(&turn, 0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    int me = get_sub_group_id(), n = get_num_sub_groups(), sum = 0;
    for (int r = 0; r < 8; r++) {
        if (get_sub_group_local_id() == 0)
            while (atomic_load_explicit(&turn, memory_order_acquire, memory_scope_work_group) != r * n + me) {}
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        sum += sub_group_reduce_add(l + r);
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        if (get_sub_group_local_id() == 0)
            atomic_store_explicit(&turn, r * n + me + 1, memory_order_release, memory_scope_work_group);
    }
    out[get_global_id(0)] = sum;
}
