// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=image:float[4,1]=iota --arg=float[8]=0 --arg=float[8]=0
// DUMP 1: [0.0, 1.0, 2.0, 3.0] * 2
// DUMP 2: [0.0, 1.0, 2.0, 3.0, 3.0, 2.0, 1.0, 0.0]
constant sampler_t r = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_NEAREST;
constant sampler_t m = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_NEAREST;
kernel void k(read_only image2d_t im, global float *o, global float *p) {
    int i = get_global_id(0);
    float x = (i + 0.5f) / 4;
    o[i] = read_imagef(im, r, (float2)(x, 0.5f)).x;
    p[i] = read_imagef(im, m, (float2)(x, 0.5f)).x;
}
