// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[64]=iota --arg=int[64]=0 --build-options=-cl-std=CL2.0
// DUMP 1: [i % 16 // 2 + 100 * 8 + 10000 * (i // 16 * 16 + 3) for i in range(64)]
// Ranks by work-group functions: no memory is shared, so nothing can race.
kernel void k(global const int *x, global int *out)
{
    const int v = x[get_global_id(0)], odd = v & 1;
    const int rank = work_group_scan_exclusive_add(odd), all = work_group_reduce_add(odd);
    const int first = work_group_broadcast(v, 3);
    out[get_global_id(0)] = rank + 100 * all + 10000 * first;
}
