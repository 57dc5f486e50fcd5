// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=1 --arg=int[8]=0 --build-options=-cl-std=CL2.0
global int total;
global atomic_int lock = ATOMIC_VAR_INIT(0);
kernel void k(global int *out) {
    int zero = 0;
    while (!atomic_compare_exchange_strong_explicit(&lock, &zero, 1, memory_order_acquire, memory_order_relaxed, memory_scope_device)) zero = 0;
    total += get_global_id(0);
    atomic_store_explicit(&lock, 0, memory_order_release, memory_scope_device);
    out[get_global_id(0)] = 1;
}
// DUMP 0: [1] * 8
