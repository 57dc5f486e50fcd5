// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=float4[4]=0
// DUMP 0: [x for i in range(4) for x in (i, 2, 1, 0)]
kernel void k(global float4 *a)
{
    float4 v[2];
    int i = get_global_id(0);
    v[0] = (float4)(i, 1, 2, 0);
    v[1].x = v[0].x;
    v[1].yzw = v[0].zyw;
    a[i] = v[1];
}
