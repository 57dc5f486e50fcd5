// SPDX-License-Identifier: MIT
// An access of every second element, in a launch whose order is followed through atomics.
// RUN: --global=16 --local=8 --arg=int[1]=0 --arg=int[64]=0 --build-options=-cl-std=CL2.0
// SAYS: the bytes are 32..35
kernel void k(global atomic_int *flag, global int *x)
{
    int i = get_global_id(0);
    x[2 * i] = 1; // EXPECT data-race 'x'
    if (i == 15)
        x[8] = 2; // OTHER data-race
    atomic_fetch_add_explicit(flag, 1, memory_order_acq_rel, memory_scope_device);
}
