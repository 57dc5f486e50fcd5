// SPDX-License-Identifier: MIT
// RUN: --kernel=ends --global=5 --local=5 --arg=float[18]=iota --arg=float[5]=0
kernel void ends(global const float *a, global float *o)
{
    float4 v = vload4(get_global_id(0), a); // EXPECT out-of-bounds 'a'
    o[get_global_id(0)] = v.x + v.w;
}
