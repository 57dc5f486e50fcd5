// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=16 --arg=float[32]=iota --arg=float[32]=0
// DUMP 1: [f32(f32(f32(i * 1.5) - 7) / f32(i + 1)) for i in range(32)]
kernel void floats(global const float *a, global float *out)
{
    int i = get_global_id(0);
    float x = a[i] * 1.5f - 7.0f;
    out[i] = x / (a[i] + 1.0f);
}
