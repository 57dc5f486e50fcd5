// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --build-options=-cl-std=CL2.0 --arg=int[24]=iota --arg=int[24]=0 --arg=int=1
// RUN: --global=24 --local=8 --build-options=-cl-std=CL2.0 --arg=int[24]=iota --arg=int[24]=0 --arg=int=1
// DUMP 0: by_group(lambda g: [g[(j + 1) % len(g)] * 2 for j in range(len(g))])
kernel void k(global int *a, global int *b, int n)
{
    local int t[64];
    int i = get_global_id(0), l = get_local_id(0), s = get_local_size(0), other = i - l + (l + 1) % s;
    cl_mem_fence_flags flags = CLK_LOCAL_MEM_FENCE;
    if (n)
        flags |= CLK_GLOBAL_MEM_FENCE;
    t[l] = b[i] = a[i];
    work_group_barrier(flags);
    int x = t[(l + 1) % s] + b[other];
    work_group_barrier(n > 5 ? CLK_LOCAL_MEM_FENCE : flags, memory_scope_work_group);
    a[i] = x;
}
