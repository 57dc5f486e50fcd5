// SPDX-License-Identifier: MIT
// RUN: --schedules=16 --global=2 --local=1 --arg=int[2]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// SAYS: seen under schedule
kernel void k(global atomic_int *wants, global int *shared)
{
    const int me = get_global_id(0);
    atomic_store_explicit(&wants[me], 1, memory_order_relaxed, memory_scope_device);
    atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acq_rel, memory_scope_device);
    if (!atomic_load_explicit(&wants[1 - me], memory_order_relaxed, memory_scope_device)) shared[0] += 1; // EXPECT data-race 'shared'
}
