// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=float[32]=iota --arg=float[8]=0
// DUMP 1: [(4 * i) * 1 + (4 * i + 1) * 2 + (4 * i + 2) * 3 for i in range(8)]
// A float3 takes the room of a float4.
kernel void weigh(global const float3 *v, global float *out)
{
    int i = get_global_id(0);
    float3 w = (float3)(1, 2, 3) * v[i];
    out[i] = w.x + w.y + w.z + (sizeof(float3) == 16 ? 0 : 1000);
}
