// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=16 --arg=int[2]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// DUMP 0: [1, 32]
kernel void any(global int *found, global atomic_int *n)
{
    atomic_fetch_add_explicit(n, 1, memory_order_acq_rel, memory_scope_work_group); // EXPECT data-race 'n'
    found[0] = 1; // EXPECT same-value-race 'found'
    if (get_global_id(0) == 31)
        found[1] = 32;
}
