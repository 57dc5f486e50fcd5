// SPDX-License-Identifier: MIT
// RUN: --global=2 --local=2 --arg=float[12]=iota --arg=float[2]=0
// DUMP 1: None
kernel void cast(global const float *a, global float *out)
{
    int i = get_global_id(0);
    float4 v = *(global const float4 *)(a + 4 * i + 1); // EXPECT misaligned-access 'a'
    out[i] = v.x + v.w;
}
