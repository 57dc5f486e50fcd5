// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --build-options=-cl-std=CL3.0 --arg=int[24]=iota
// RUN: --global=24 --local=8 --build-options=-cl-std=CL3.0 --arg=int[24]=iota
// RUN: --global=23 --local=6 --build-options=-cl-std=CL3.0 --arg=int[23]=iota
// DUMP 0: by_group(lambda g: [sum(g) + max(g) for x in g])
// What a function of the work-group gives is the same for all of it.
kernel void k(global int *a)
{
    local int sum;
    int i = get_global_id(0), l = get_local_id(0), x = a[i], turns = 0;
    if (l == 0)
        sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (work_group_any(x > 0)) {
        if (x > 0) {
            x--;
            atomic_inc(&sum);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        turns++;
    }
    a[i] = sum + turns;
}
