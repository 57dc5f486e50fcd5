// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[64]=0 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// Atomics may order here, but those of the flag do not: a barrier and a mem_fence order their own work-group.
kernel void k(global int *data, global atomic_int *count, global int *out)
{
    local int last;
    data[get_global_id(0)] = 1; // OTHER data-race
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    work_group_barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) last = atomic_fetch_add_explicit(count, 1, memory_order_relaxed, memory_scope_device) == get_num_groups(0) - 1;
    work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (last && get_local_id(0) == 0)
        for (int i = 0; i < get_global_size(0); i++)
            out[0] += data[i]; // EXPECT data-race 'data'
}
