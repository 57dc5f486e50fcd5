// SPDX-License-Identifier: MIT
// RUN: --schedules=64 --global=8 --local=1 --arg=int[8]=1 --arg=int[8]=0 --arg=int[8]=0 --arg=int[8]=0 --build-options=-cl-std=CL2.0
// DUMP 3: [1, 2, 3, 4, 5, 6, 7, 8]
// Decoupled look-back. In the usual order each group finds the prefix of the one before, and needs no aggregate.
kernel void k(global const int *x, global atomic_int *state, global int *aggregate, global int *prefix)
{
    const int t = get_group_id(0);
    int sum = 0;
    aggregate[t] = x[t];
    atomic_store_explicit(&state[t], 1, memory_order_release, memory_scope_device);
    for (int i = t - 1; i >= 0;) {
        const int s = atomic_load_explicit(&state[i], memory_order_acquire, memory_scope_device);
        if (s == 2) {
            sum += prefix[i];
            break;
        }
        if (s == 1) sum += aggregate[i--];
    }
    prefix[t] = sum + x[t];
    atomic_store_explicit(&state[t], 2, memory_order_release, memory_scope_device);
}
