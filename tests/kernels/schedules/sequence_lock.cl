// SPDX-License-Identifier: MIT
// RUN: --schedules=64 --global=2 --local=1 --arg=int[1]=0 --arg=int[2]=0 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// DUMP 1: [1, 1]
// The two halves are equal but for while the writer is between them.
kernel void k(global atomic_int *seq, global atomic_int *half_of, global int *table, global int *out)
{
    if (get_global_id(0) == 1) {
        atomic_fetch_add_explicit(seq, 1, memory_order_seq_cst, memory_scope_device);
        atomic_store_explicit(&half_of[0], 1, memory_order_seq_cst, memory_scope_device);
        atomic_store_explicit(&half_of[1], 1, memory_order_seq_cst, memory_scope_device);
        atomic_fetch_add_explicit(seq, 1, memory_order_seq_cst, memory_scope_device);
    } else {
        const int before = atomic_load_explicit(seq, memory_order_seq_cst, memory_scope_device);
        const int a = atomic_load_explicit(&half_of[0], memory_order_seq_cst, memory_scope_device);
        const int b = atomic_load_explicit(&half_of[1], memory_order_seq_cst, memory_scope_device);
        const int after = atomic_load_explicit(seq, memory_order_seq_cst, memory_scope_device);
        if (before == after && !(before & 1)) out[0] = table[a - b];
    }
}
