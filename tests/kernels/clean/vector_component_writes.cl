// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=float[64]=0
// DUMP 0: [10 * (k % 4) + k // 4 for k in range(64)]
// Four work-items write the four components of one vector.
kernel void parts(global float4 *v)
{
    int i = get_global_id(0), at = i / 4;
    float x = 10 * (i % 4) + at;
    switch (i % 4) {
    case 0: v[at].x = x; break;
    case 1: v[at].y = x; break;
    case 2: v[at].z = x; break;
    case 3: v[at].w = x; break;
    }
}
