// SPDX-License-Identifier: MIT
// An image that was never written: reading it matters when the value decides a branch or is stored.
// RUN: --global=4 --local=4 --arg=image:uint[4,2]=undef --arg=uint[4]=0
// NOTE: 'im' is an image of 4 x 2 pixels of 4 bytes (declared at pixels.cl:7), never written at pixel (0, 1)
// NOTE: 4 times in 1 work-group; shown once
const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
kernel void k(read_only image2d_t im, global uint *out)
{
    const uint4 unused = read_imageui(im, nearest, (int2)(0, 0));
    const uint4 v = read_imageui(im, nearest, (int2)(get_global_id(0), 1));
    out[get_global_id(0)] = v.x; // EXPECT uninitialized-read 'im'
}
