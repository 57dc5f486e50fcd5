// SPDX-License-Identifier: MIT
// v.x and v.y of one float4, by different work-items.
// RUN: --global=16 --local=16 --arg=float4[4]=0
// DUMP 0: [float(i) for i in range(16)]
kernel void k(global float4 *v)
{
    int i = get_global_id(0);
    float f = i;
    switch (i & 3) {
    case 0: v[i / 4].x = f; break;
    case 1: v[i / 4].y = f; break;
    case 2: v[i / 4].z = f; break;
    case 3: v[i / 4].w = f; break;
    }
}
