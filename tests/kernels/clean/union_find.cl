// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota --arg=int[16]=0
// DUMP 1: [i % 4 for i in range(16)]
// Roots are joined by atomic_cmpxchg; reads of parents are atomic, too.
kernel void k(volatile global int *parent, global int *root)
{
    const int i = get_global_id(0);
    int a = i, b = (i + 4) & 15;
    for (;;) {
        while (a != atomic_add(&parent[a], 0)) a = atomic_add(&parent[a], 0);
        while (b != atomic_add(&parent[b], 0)) b = atomic_add(&parent[b], 0);
        if (a == b) break;
        if (a < b) {
            const int t = a;
            a = b;
            b = t;
        }
        if (atomic_cmpxchg(&parent[a], a, b) == a) break;
    }
    barrier(CLK_GLOBAL_MEM_FENCE);
    for (a = i; a != parent[a];) a = parent[a];
    root[i] = a;
}
