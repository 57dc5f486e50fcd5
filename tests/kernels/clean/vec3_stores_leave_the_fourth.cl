// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=float[32]=0 --arg=float[8]=iota
// DUMP 0: None
// A float3 in memory has room for four; the fourth is another work-item's here.
kernel void k(global float *x, global const float *y)
{
    const int i = get_global_id(0);
    global float3 *v = (global float3 *)x;
    v[i] = (float3)(1, 2, 3) * y[i];
    x[(i ^ 1) * 4 + 3] = y[i];
}
