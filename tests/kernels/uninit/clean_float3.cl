// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=float[12]=1 --arg=float4[4]=0
// DUMP 1: [2, 2, 2, None] * 4
kernel void k(global const float *in, global float3 *out)
{
    int i = get_global_id(0);
    float3 v = vload3(i, in), t[2];
    t[0] = v;
    t[1] = t[0] * 2;
    out[i] = t[1];
}
