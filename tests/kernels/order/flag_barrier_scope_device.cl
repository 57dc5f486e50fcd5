// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[64]=0 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// DUMP 2: [sum(i * i for i in range(64))]
// A barrier whose scope is the device is a fence for the relaxed counter after it.
kernel void last(global int *part, global atomic_int *count, global int *out)
{
    local int is_last;
    int lid = get_local_id(0), gid = get_global_id(0);
    part[gid] = gid * gid;
    work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
    if (lid == 0)
        is_last = atomic_fetch_add_explicit(count, 1, memory_order_relaxed, memory_scope_device) == 3;
    work_group_barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, memory_scope_device);
    if (is_last && lid == 0) {
        int sum = 0;
        for (int i = 0; i < 64; i++)
            sum += part[i];
        out[0] = sum;
    }
}
