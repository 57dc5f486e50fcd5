// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=16 --arg=int[1]=0 --arg=int[16]=0 --arg=int[32]=0 --build-options=-cl-std=CL2.0
// SAYS: the barrier at releases_behind_a_local_barrier.cl:10, between the access and the atomic that releases after it, does not fence global memory, so only the work-item that releases is ordered
kernel void k(global atomic_int *f, global int *d, global int *out)
{
    int l = get_local_id(0), group = get_group_id(0);
    local int ok;
    if (group == 0) {
        d[l] = l; // EXPECT data-race 'd'
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == 0) atomic_store_explicit(f, 1, memory_order_release, memory_scope_device);
        return;
    }
    if (l == 0)
        while (!(ok = atomic_load_explicit(f, memory_order_acquire, memory_scope_device)));
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (ok) out[get_global_id(0)] = d[15 - l]; // OTHER data-race
}
