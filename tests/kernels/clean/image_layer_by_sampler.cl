// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=image:uint[4,2]=iota --arg=uint[4]=0
// DUMP 1: [4, 5, 6, 7]
constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
kernel void k(read_only image1d_array_t im, global uint *o) {
    int x = get_global_id(0);
    o[x] = read_imageui(im, s, (int2)(x, 9)).x;
}
