// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=float[8]=0
// DUMP 0: [math.sqrt(i * i + 9 + 16) + (2 * i + 12 + 20) + (3 * 5 - 4 * 4) for i in range(8)]
kernel void geometry(global float *out)
{
    int i = get_global_id(0);
    float4 a = (float4)(i, 3, 4, 0), b = (float4)(2, 4, 5, 7);
    out[i] = length(a) + dot(a, b) + cross(a, b).x;
}
