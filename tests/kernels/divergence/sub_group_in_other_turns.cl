// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --sub-group-size=8 --arg=int[1]=0 --arg=int[16]=0 --build-options=-cl-std=CL3.0
// Work-item 0 leaves the first turn out and comes to the barrier in the second: not where the others wait for it.
kernel void k(global atomic_int *lock, global int *out)
{
    int l = get_local_id(0);
    for (int turn = 0; turn < 2; turn++) {
        int zero = 0;
        while (!atomic_compare_exchange_strong_explicit(lock, &zero, 1, memory_order_acquire, memory_order_relaxed, memory_scope_device)) zero = 0;
        atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
        if (l == 0 && turn == 0) continue;
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE); // EXPECT barrier-divergence
        out[8 * turn + l] = turn;
    }
}
