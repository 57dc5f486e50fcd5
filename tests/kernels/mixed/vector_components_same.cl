// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=float4[8]=0
kernel void k(global float4 *v)
{
    int i = get_global_id(0);
    v[i / 2].y = (float)i; // EXPECT data-race 'v'
}
