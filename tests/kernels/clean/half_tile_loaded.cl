// SPDX-License-Identifier: MIT
// RUN: --global=20 --local=8 --arg=float[20]=iota --arg=float[20]=0 --arg=int=20 --build-options=-cl-std=CL2.0
// DUMP 1: [float(sum(j for j in (i - 1, i, i + 1) if 0 <= j < 20)) for i in range(20)]
// A last group that is not full: what it does not load it does not read.
kernel void k(global const float *x, global float *out, int n)
{
    local float t[10];
    const int l = get_local_id(0), g = get_global_id(0), size = get_local_size(0);
    t[l + 1] = x[g];
    if (l == 0) t[0] = g ? x[g - 1] : 0;
    if (l == size - 1) t[size + 1] = g + 1 < n ? x[g + 1] : 0;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = t[l] + t[l + 1] + t[l + 2];
}
