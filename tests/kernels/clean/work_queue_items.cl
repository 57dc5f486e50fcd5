// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=4 --arg=int[64]=0 --arg=int[1]=8 --arg=int[1]=0 --arg=int[64]=0 --build-options=-cl-std=CL2.0
// DUMP 0: [100 + i % 8 + i // 8 if i < 24 else 0 for i in range(64)]
// Work-items take from a queue, and append one more for small ones: reserved by one counter, handed over by flags.
kernel void k(global int *queue, global atomic_int *tail, global atomic_int *head, global atomic_int *filled)
{
    for (;;) {
        const int at = atomic_fetch_add_explicit(head, 1, memory_order_relaxed, memory_scope_device);
        if (at >= 24) return;
        if (at < 8) queue[at] = 100 + at; // the first are made here
        else while (!atomic_load_explicit(&filled[at], memory_order_acquire, memory_scope_device)) {}
        const int v = queue[at];
        const int to = at + 8;
        if (to < 24) {
            queue[to] = v + 1;
            atomic_store_explicit(&filled[to], 1, memory_order_release, memory_scope_device);
        }
    }
}
