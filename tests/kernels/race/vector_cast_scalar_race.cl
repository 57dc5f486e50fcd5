// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=float[32]=0
kernel void k(global float *a)
{
    int g = get_global_id(0);
    ((global float4 *)a)[g] = (float4)(1, 2, 3, 4); // EXPECT data-race 'a'
    a[(g * 4 + 4) % 32] = 0; // OTHER data-race
}
