// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=float[48]=0
// DUMP 0: [i // 3 for i in range(48)]
kernel void points(global float *out)
{
    int i = get_global_id(0);
    vstore3((float3)(i), i, out);
}
