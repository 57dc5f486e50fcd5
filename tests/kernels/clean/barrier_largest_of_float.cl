// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=3 --arg=float[24]=iota
// RUN: --global=24 --local=8 --arg=float[24]=iota
// RUN: --global=23 --local=5 --build-options=-cl-std=CL2.0 --arg=float[23]=iota
// DUMP 0: by_group(lambda g: [max(x * 7 % 24 for x in g)] * len(g))
kernel void k(global float *a)
{
    local float t[64];
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    t[lid] = (int)a[i] * 7 % 24;
    barrier(CLK_LOCAL_MEM_FENCE);
    float x = t[0];
    for (int k = 1; k < n; k++)
        x = t[k] > x ? t[k] : x;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = x;
}
