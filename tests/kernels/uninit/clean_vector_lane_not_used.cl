// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=float[4]=0
// DUMP 0: [12] * 4
kernel void k(global float *a)
{
    float4 v;
    v.xyz = (float3)(1, 2, 3);
    v *= 2;
    a[get_global_id(0)] = v.x + v.y + v.z;
}
