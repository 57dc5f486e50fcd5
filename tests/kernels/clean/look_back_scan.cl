// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=8 --arg=int[64]=iota --arg=int[64]=0 --arg=int[8]=0 --arg=int[8]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// DUMP 1: [i * (i + 1) // 2 for i in range(64)]
// Decoupled look-back with prefixes: tickets give groups their tile in the order in which they start.
kernel void k(global const int *x, global int *out, global int *prefix, global atomic_int *ready, global atomic_int *next)
{
    local int t[8], tile, before;
    const int l = get_local_id(0);
    if (l == 0) tile = atomic_fetch_add_explicit(next, 1, memory_order_relaxed, memory_scope_device);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    const int g = tile * 8 + l;
    t[l] = x[g];
    for (int d = 1; d < 8; d *= 2) {
        work_group_barrier(CLK_LOCAL_MEM_FENCE);
        const int v = l >= d ? t[l - d] : 0;
        work_group_barrier(CLK_LOCAL_MEM_FENCE);
        t[l] += v;
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        before = 0;
        if (tile) {
            while (!atomic_load_explicit(&ready[tile - 1], memory_order_acquire, memory_scope_device)) {}
            before = prefix[tile - 1];
        }
        prefix[tile] = before + t[7];
        atomic_store_explicit(&ready[tile], 1, memory_order_release, memory_scope_device);
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = before + t[l];
}
