// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=8 --arg=int[64]=iota --arg=int[64]=0 --arg=int[8]=0 --arg=int[8]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// Release and acquire, but only for the own work-group.
kernel void k(global const int *x, global int *out, global int *prefix, global atomic_int *ready, global atomic_int *next)
{
    local int tile, before;
    const int l = get_local_id(0);
    if (l == 0) {
        tile = atomic_fetch_add_explicit(next, 1, memory_order_relaxed, memory_scope_device);
        before = 0;
        if (tile) {
            while (!atomic_load_explicit(&ready[tile - 1], memory_order_acquire, memory_scope_work_group)) {} // OTHER data-race
            before = prefix[tile - 1]; // EXPECT data-race 'prefix'
        }
        prefix[tile] = before + x[tile]; // OTHER data-race
        atomic_store_explicit(&ready[tile], 1, memory_order_release, memory_scope_work_group); // EXPECT data-race 'ready'
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[tile * 8 + l] = before + x[tile];
}
