// SPDX-License-Identifier: MIT
// RUN: --build-options=-cl-std=CL3.0 --global=24 --local=12 --arg=int[24]=iota --arg=int[24]=0 --arg=float[24]=0 --arg=int[24]=0
// DUMP 1: [sum(range(i // 12 * 12, i // 12 * 12 + 12)) * 100 + i // 12 * 12 + 7 for i in range(24)]
// DUMP 2: [sum(range(i // 12 * 12, i + 1)) + 0.5 * (i - 1 if i % 12 else -math.inf) for i in range(24)]
// DUMP 3: [1 if i < 12 else 2 for i in range(24)]
// The functions of a whole work-group, two in a row, and one in a loop that all work-items run equally often.
#pragma OPENCL FP_CONTRACT OFF
kernel void collect(global const int *a, global int *r, global float *s, global int *v)
{
    int i = get_global_id(0);
    r[i] = 0;
    for (int k = 0; k < 100; k++) r[i] += work_group_reduce_add(a[i]);
    r[i] += work_group_broadcast(a[i], 7);
    s[i] = work_group_scan_inclusive_add((float)a[i]) + 0.5f * work_group_scan_exclusive_max((float)a[i]);
    v[i] = work_group_any(a[i] == 3) ? 1 : work_group_all(a[i] > 3) ? 2 : 3;
}
