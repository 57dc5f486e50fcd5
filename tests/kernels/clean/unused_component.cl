// SPDX-License-Identifier: MIT
// RUN: --kernel=vec --global=4 --local=4 --arg=float[4]=0
// DUMP 0: [6.0] * 4
kernel void vec(global float *p)
{
    float4 v, w;
    v.xyz = (float3)(1, 2, 3);
    w = v * 1.0f;
    p[get_global_id(0)] = w.x + w.y + w.z;
}
