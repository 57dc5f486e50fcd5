// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=float[20]=1 --arg=float4[4]=0
kernel void k(global float *x, global float4 *o)
{
    int i = get_global_id(0);
    o[i] = *(global float4 *)(x + 4 * i + 1); // EXPECT misaligned-access 'x'
}
