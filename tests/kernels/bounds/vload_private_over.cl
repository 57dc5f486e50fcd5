// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=float[4]=0
kernel void k(global float *o)
{
    float t[6] = {1, 2, 3, 4, 5, 6};
    o[get_global_id(0)] = vload4(get_global_id(0) / 2, t).w; // EXPECT out-of-bounds 't'
}
