// SPDX-License-Identifier: MIT
// Of a pixel with one channel the others are the same always, and so is what lies outside: they have a value without any write.
// RUN: --global=4 --local=4 --arg=image:uint[4,2]=undef --arg=uint[4]=0
// DUMP 1: [1] * 4
const sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
kernel void k(read_only image2d_t im, global uint *out)
{
    const uint4 v = read_imageui(im, nearest, (int2)(get_global_id(0), 1));
    const uint4 w = read_imageui(im, nearest, (int2)(get_global_id(0), 2));
    out[get_global_id(0)] = v.y + v.z + v.w + w.x;
}
