// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=image:float4[8,1]=1 --arg=float[8]=0
constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_LINEAR;
kernel void k(read_only image2d_t im, global float *o) {
    int i = get_global_id(0);
    o[i] = read_imagef(im, s, (float2)(i, 0.5f)).x; // EXPECT out-of-bounds 'im'
}
