// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=4 --arg=image:float4[4,4]=1 --arg=float[8]=0
// DUMP 1: None
constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
kernel void k(read_only image2d_t im, global float *o) {
    int i = get_global_id(0);
    float v = 0;
    for (int d = -2; d <= 2; d++) v += read_imagef(im, s, (int2)(i + d, d)).x;
    o[i] = v;
}
