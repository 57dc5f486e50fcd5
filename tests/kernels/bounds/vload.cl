// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=float[15]=iota --arg=float[4]=0
// DUMP 1: [4 * i * 4 + 6 if i < 3 else None for i in range(4)]
kernel void load(global const float *a, global float *out)
{
    int i = get_global_id(0);
    float4 v = vload4(i, a); // EXPECT out-of-bounds 'a'
    out[i] = v.x + v.y + v.z + v.w;
}
