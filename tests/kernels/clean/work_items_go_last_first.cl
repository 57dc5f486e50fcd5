// SPDX-License-Identifier: MIT
// RUN: --global=128 --local=32 --sub-group-size=8 --build-options=-cl-std=CL3.0 --arg=int[4]=0 --arg=int[4]=0
// DUMP 0: [i32(list(itertools.accumulate(range(31, -1, -1), lambda sum, l: sum * 3 + l, initial=0))[-1] + 1)] * 4
// Each work-item waits for the next one; then a barrier, and a function of the active work-items.
kernel void k(global int *out, global atomic_int *turn)
{
    int l = get_local_id(0), g = get_group_id(0), n = get_local_size(0);
    while (atomic_load_explicit(&turn[g], memory_order_acquire, memory_scope_work_group) != n - 1 - l) {}
    out[g] = out[g] * 3 + l;
    atomic_store_explicit(&turn[g], n - l, memory_order_release, memory_scope_work_group);
    work_group_barrier(CLK_GLOBAL_MEM_FENCE);
    if (l == 0) out[g] += sub_group_non_uniform_reduce_add(1);
}
