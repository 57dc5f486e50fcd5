// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --build-options=-cl-std=CL2.0 --arg=int[24]=iota
// RUN: --global=24 --local=3 --build-options=-cl-std=CL2.0 --arg=int[24]=iota
// RUN: --global=24 --local=8 --build-options=-cl-std=CL2.0 --arg=int[24]=iota
// DUMP 0: by_group(lambda g: [g[0] + x for x in g])
kernel void k(global int *a)
{
    local int t;
    int i = get_global_id(0);
    if (get_local_id(0) == 0)
        t = a[i];
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
    a[i] += t;
}
