// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=float4[4]=1
kernel void k(global float4 *a)
{
    float4 v;
    v.x = 1;
    v.y = 2;
    v.w = 3;
    a[get_global_id(0)] = v; // EXPECT uninitialized-read 'v'
}
