// SPDX-License-Identifier: MIT
// Fences of global memory on either side of a flag in local memory: they go with atomics in global memory.
// RUN: --global=16 --local=16 --arg=int[2]=0 --build-options=-cl-std=CL2.0
// SAYS: missing fence (only an atomic in other memory) on global memory 'd'
kernel void k(global int *d)
{
    local atomic_int f;
    int l = get_local_id(0);
    if (l == 0) atomic_init(&f, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        d[1] = 5; // EXPECT missing-fence 'd'
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_release, memory_scope_work_group);
        atomic_store_explicit(&f, 1, memory_order_relaxed, memory_scope_work_group);
    }
    if (l == 3 && atomic_load_explicit(&f, memory_order_relaxed, memory_scope_work_group) == 1) {
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_acquire, memory_scope_work_group);
        d[0] = d[1]; // OTHER missing-fence
    }
}
