// SPDX-License-Identifier: MIT
// An atomic update reads what it updates; an atomic store does not.
// RUN: --build-options=-cl-std=CL2.0 --global=8 --local=4 --arg=wo:int[1]=0 --arg=wo:int[1]=0
// DUMP 0: [8]
kernel void count(global int *n, global atomic_int *last)
{
    atomic_inc(n); // EXPECT write-only-read 'n'
    atomic_store_explicit(last, 5, memory_order_relaxed, memory_scope_device);
}
