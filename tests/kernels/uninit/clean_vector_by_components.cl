// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=float4[4]=0
// DUMP 0: [1, 2, 3, 4] * 4
kernel void k(global float4 *a)
{
    float4 v;
    v.x = 1;
    v.y = 2;
    v.zw = (float2)(3, 4);
    a[get_global_id(0)] = v;
}
