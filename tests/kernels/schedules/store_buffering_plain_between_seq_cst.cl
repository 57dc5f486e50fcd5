// SPDX-License-Identifier: MIT
// RUN: --schedules=64 --global=2 --local=1 --arg=int[2]=0 --arg=int[2]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// RUN: --schedules=64 --global=2 --local=2 --arg=int[2]=0 --arg=int[2]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// DUMP 0: [1, 1]
kernel void k(global atomic_int *wants, global int *trace, global int *shared)
{
    const int me = get_global_id(0);
    atomic_store_explicit(&wants[me], 1, memory_order_seq_cst, memory_scope_device);
    trace[me] = 1;
    if (!atomic_load_explicit(&wants[1 - me], memory_order_seq_cst, memory_scope_device)) shared[0] += 1;
}
