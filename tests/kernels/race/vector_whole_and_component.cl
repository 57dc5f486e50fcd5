// SPDX-License-Identifier: MIT
// RUN: --global=2 --local=2 --arg=float[4]=iota
kernel void parts(global float4 *v)
{
    if (get_global_id(0))
        v[0].y = 5;          // EXPECT data-race 'v'
    else
        v[0] = (float4)(1);  // OTHER data-race
}
