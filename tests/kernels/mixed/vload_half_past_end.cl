// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=ushort[6]=0 --arg=float2[4]=0
kernel void k(global half *h, global float2 *o)
{
    int i = get_global_id(0);
    o[i] = vload_half2(i, h); // EXPECT out-of-bounds 'h'
}
