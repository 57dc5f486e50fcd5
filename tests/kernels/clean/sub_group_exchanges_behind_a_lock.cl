// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --sub-group-size=8 --arg=int[1]=0 --arg=int[32]=0 --arg=int[32]=0 --arg=float4[32]=0 --build-options=-cl-std=CL3.0
// DUMP 1: [l // 8 * 8 + (l + 1) % 8 + 100 for l in range(32)]
// DUMP 2: [l // 8 * 32 + (16 if l % 2 else 12) for l in range(32)]
// DUMP 3: [x for l in range(32) for x in range(l // 8 * 8, l // 8 * 8 + 4)]
// All work-items that can come are present, also for the functions of the active work-items; in a vector and in two branches.
kernel void k(global atomic_int *lock, global int *rotated, global int *half_sums, global float4 *vectors)
{
    int l = get_local_id(0), zero = 0;
    if (l % 3)
        while (!atomic_compare_exchange_strong_explicit(lock, &zero, 1, memory_order_acquire, memory_order_relaxed, memory_scope_work_group)) zero = 0;
    int x = l + 100;
    if (l % 3) atomic_store_explicit(lock, 0, memory_order_release, memory_scope_work_group);
    rotated[l] = sub_group_rotate(x, 1);
    if (l % 2) half_sums[l] = sub_group_non_uniform_reduce_add(l);
    else half_sums[l] = sub_group_non_uniform_reduce_add(l);
    vectors[l] = sub_group_non_uniform_broadcast((float4)(l, l + 1, l + 2, l + 3), 0);
}
