// SPDX-License-Identifier: MIT
// RUN: --global=15 --local=15 --arg=float[18]=iota --arg=float[15]=0
// DUMP 1: [4 * i + 6 for i in range(15)]
// vload4 asks only for the alignment of an element.
kernel void window(global const float *a, global float *out)
{
    int i = get_global_id(0);
    float4 v = vload4(0, a + i);
    out[i] = v.x + v.y + v.z + v.w;
}
