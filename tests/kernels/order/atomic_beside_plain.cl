// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=16 --arg=int[1]=0 --arg=int[32]=0 --build-options=-cl-std=CL2.0
// SAYS: one of the two is not atomic: atomic_load
// The counter is atomic for those who add and plain for those who look.
kernel void mixed(global int *n, global int *out)
{
    atomic_fetch_add_explicit((global atomic_int *)n, 1, memory_order_acq_rel, memory_scope_device); // OTHER data-race
    out[get_global_id(0)] = n[0]; // EXPECT data-race 'n'
}
// SAYS: help: Make the other access atomic
