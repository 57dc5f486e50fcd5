// SPDX-License-Identifier: MIT
// Structs beside a lock: one member is read outside of it. Copies are checked where atomics order, too.
// RUN: --global=32 --local=8 --arg=int[1]=0 --arg=int[4]=0 --arg=int[32]=0 --build-options=-cl-std=CL2.0
struct s {
    int a;
    char b[8];
    int c;
};
kernel void k(global atomic_int *lock, global struct s *x, global int *o)
{
    int n = get_global_id(0);
    if (get_local_id(0) == 0) {
        int expected = 0;
        while (!atomic_compare_exchange_strong_explicit(lock, &expected, 1, memory_order_acquire, memory_order_relaxed, memory_scope_device))
            expected = 0;
        struct s t = *x;
        t.a++;
        t.c++;
        *x = t; // EXPECT data-race 'x'
        atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
    }
    o[n] = x->c; // OTHER data-race
}
