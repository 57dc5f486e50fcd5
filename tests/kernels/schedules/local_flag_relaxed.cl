// SPDX-License-Identifier: MIT
// RUN: --schedules=16 --global=8 --local=8 --arg=int[8]=0 --build-options=-cl-std=CL2.0
// SAYS: seen under schedule
kernel void k(global int *out)
{
    local int data;
    local atomic_int flag;
    const int l = get_local_id(0);
    if (l == 0) atomic_init(&flag, 0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    const int seen = atomic_load_explicit(&flag, memory_order_acquire, memory_scope_work_group);
    if (seen) out[l] = data; // EXPECT data-race 'data'
    if (l == 7) {
        data = 5; // OTHER data-race
        atomic_store_explicit(&flag, 1, memory_order_relaxed, memory_scope_work_group);
    }
}
