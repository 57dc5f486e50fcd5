// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=float[16]=0
// DUMP 0: [(k // 4 + 1) * (k % 4 + 1) if k % 4 < 3 else None for k in range(16)]
kernel void fill(global float3 *v)
{
    int i = get_global_id(0);
    v[i] = (float)(i + 1) * (float3)(1, 2, 3);
}
