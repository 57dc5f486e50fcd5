// SPDX-License-Identifier: MIT
// RUN: --schedules=64 --global=2 --local=1 --arg=int[4]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// RUN: --schedules=64 --global=2 --local=2 --arg=int[4]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// DUMP 1: [2]
kernel void k(global atomic_int *choosing, global int *shared)
{
    const int me = get_global_id(0), other = 1 - me;
    global atomic_int *number = choosing + 2;
    int mine, theirs;
    atomic_store_explicit(&choosing[me], 1, memory_order_seq_cst, memory_scope_device);
    mine = atomic_load_explicit(&number[other], memory_order_seq_cst, memory_scope_device) + 1;
    atomic_store_explicit(&number[me], mine, memory_order_seq_cst, memory_scope_device);
    atomic_store_explicit(&choosing[me], 0, memory_order_seq_cst, memory_scope_device);
    while (atomic_load_explicit(&choosing[other], memory_order_seq_cst, memory_scope_device)) {
    }
    do theirs = atomic_load_explicit(&number[other], memory_order_seq_cst, memory_scope_device);
    while (theirs && (theirs < mine || (theirs == mine && other < me)));
    shared[0] += 1;
    atomic_store_explicit(&number[me], 0, memory_order_release, memory_scope_device);
}
