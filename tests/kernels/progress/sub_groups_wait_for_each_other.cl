// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --sub-group-size=8 --arg=int[16]=0 --build-options=-cl-std=CL3.0
// Sub-groups go on independently, but none can here.
kernel void k(global int *out)
{
    local atomic_int here[2];
    int l = get_local_id(0), me = get_sub_group_id();
    if (l < 2) atomic_init(&here[l], 0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (get_sub_group_local_id() == 0) {
        while (!atomic_load_explicit(&here[1 - me], memory_order_acquire, memory_scope_work_group)) {} // EXPECT no-progress
        atomic_store_explicit(&here[me], 1, memory_order_release, memory_scope_work_group);
    }
    out[l] = sub_group_reduce_add(l);
}
