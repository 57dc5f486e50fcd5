// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=16 --arg=int[1]=0 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// DUMP 2: [42]
// All write the same value; each reader has written it too, though a release lies between.
kernel void pass(global int *data, global atomic_int *flag, global int *out)
{
    data[0] = 42; // EXPECT same-value-race 'data'
    atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
    if (get_global_id(0) == 16) {
        while (!atomic_load_explicit(flag, memory_order_acquire, memory_scope_device))
            ;
        out[0] = data[0]; // OTHER same-value-race
    }
}
