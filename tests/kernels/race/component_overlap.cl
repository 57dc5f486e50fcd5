// SPDX-License-Identifier: MIT
// RUN: --global=2 --local=2 --arg=float4[1]=0
kernel void k(global float4 *v) {
    if (get_local_id(0) == 0) v->xy = (float2)(1.0f); // OTHER data-race
    else v->yz = (float2)(2.0f); // EXPECT data-race 'v'
}
