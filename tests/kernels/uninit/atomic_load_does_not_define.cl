// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=4 --arg=int[1]=undef --arg=int[8]=0 --build-options=-cl-std=CL2.0
// DUMP 1: [2] * 8
// Looking at a place gives it no value: each branch decides by nothing.
kernel void look(global atomic_int *ready, global int *out)
{
    int i = get_global_id(0);
    if (!atomic_load_explicit(ready, memory_order_acquire, memory_scope_device)) // EXPECT uninitialized-read 'ready'
        out[i]++;
    if (!atomic_load_explicit(ready, memory_order_relaxed, memory_scope_device)) // EXPECT uninitialized-read 'ready'
        out[i]++;
}
