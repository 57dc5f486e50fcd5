// SPDX-License-Identifier: MIT
// One work-item acquires for its group, and the barrier after it fences local memory only.
// RUN: --global=32 --local=16 --arg=int[1]=0 --arg=int[16]=0 --arg=int[32]=0 --build-options=-cl-std=CL2.0
// NOTE: 'd' is 64 bytes of global memory (declared at acquires_before_a_local_barrier.cl:8); the bytes are 0..3
// NOTE: the two are in different work-groups, and the kernel's atomics do not order them: the barrier at acquires_before_a_local_barrier.cl:20, between the atomic that acquires and the access after it, does not fence global memory, so only the work-item that acquires is ordered
// NOTE: 15 times between work-groups; shown once
// SAYS: help: If one work-item of a group releases or acquires for all of it, give the barrier between them CLK_GLOBAL_MEM_FENCE.
kernel void k(global atomic_int *f, global int *d, global int *out)
{
    int l = get_local_id(0), group = get_group_id(0);
    local int ok;
    if (group == 0) {
        d[l] = l; // EXPECT data-race 'd'
        barrier(CLK_GLOBAL_MEM_FENCE);
        if (l == 0) atomic_store_explicit(f, 1, memory_order_release, memory_scope_device);
        return;
    }
    if (l == 0)
        while (!(ok = atomic_load_explicit(f, memory_order_acquire, memory_scope_device)));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (ok) out[get_global_id(0)] = d[15 - l]; // OTHER data-race
}
