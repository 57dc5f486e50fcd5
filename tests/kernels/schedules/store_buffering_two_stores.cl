// SPDX-License-Identifier: MIT
// RUN: --schedules=16 --global=2 --local=1 --arg=int[4]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// RUN: --schedules=16 --global=2 --local=2 --arg=int[4]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// SAYS: seen under schedule
// SAYS: was seen late
kernel void k(global atomic_int *wants, global int *shared)
{
    const int me = get_global_id(0);
    atomic_store_explicit(&wants[me], 1, memory_order_release, memory_scope_device);
    atomic_store_explicit(&wants[2 + me], 1, memory_order_release, memory_scope_device);
    if (!atomic_load_explicit(&wants[1 - me], memory_order_acquire, memory_scope_device)) shared[0] += 1; // EXPECT data-race 'shared'
}
