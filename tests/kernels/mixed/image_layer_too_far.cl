// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=image:float[4,2,2]=iota --arg=float[4]=0
// SAYS: read of pixel (0, 0) of layer 2 outside image 'a'
kernel void k(read_only image2d_array_t a, global float *o)
{
    int i = get_global_id(0);
    float4 v = read_imagef(a, (int4)(i, 0, 2, 0)); // EXPECT out-of-bounds 'a'
    o[i] = v.x;
}
// SAYS: help: Compare the coordinates with get_image_width
