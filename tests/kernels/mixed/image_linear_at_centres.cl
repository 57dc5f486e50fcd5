// SPDX-License-Identifier: MIT
// RUN: --global=8,4 --local=4,2 --arg=image:float4[8,4]=iota --arg=float[32]=0 --arg=float[32]=0
// SAYS: = a linear filter reads the pixels around the coordinates; with CLK_ADDRESS_NONE all of them must be inside the image
// DUMP 1: [4 * i for i in range(32)]
// At the center of the last pixel its outside neighbor has no weight, so a sampler that must stay inside does. Beside the center it has some.
constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_LINEAR;
kernel void k(read_only image2d_t im, global float *o, global float *beside) {
    int x = get_global_id(0), y = get_global_id(1);
    o[y * 8 + x] = read_imagef(im, s, (float2)(x + 0.5f, y + 0.5f)).x;
    beside[y * 8 + x] = read_imagef(im, s, (float2)(x + 0.75f, y + 0.5f)).x; // EXPECT out-of-bounds 'im'
}
