// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=float[15]=1 --arg=float4[4]=0
// SAYS: the access begins inside at offset 48 and ends 4 bytes past its end
kernel void k(global float *x, global float4 *o)
{
    int i = get_global_id(0);
    o[i] = vload4(i, x); // EXPECT out-of-bounds 'x'
}
