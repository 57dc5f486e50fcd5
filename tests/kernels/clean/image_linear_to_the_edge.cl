// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=image:float[8,1]=iota --arg=float[8]=0
// DUMP 1: [0.0, 0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5]
constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
kernel void k(read_only image2d_t im, global float *o) {
    int i = get_global_id(0);
    o[i] = read_imagef(im, s, (float2)(i, 0.5f)).x;
}
