// SPDX-License-Identifier: MIT
// RUN: --global=2 --local=2 --arg=float4[1]=0
kernel void k(global float4 *v)
{
    if (get_global_id(0)) v[0].z = 3; // OTHER data-race
    else v[0] = (float4)(1, 2, 5, 4); // EXPECT data-race 'v'
}
