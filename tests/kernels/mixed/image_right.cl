// SPDX-License-Identifier: MIT
// Reads through a sampler follow its addressing mode; every pixel has one writer.
// RUN: --global=4 --local=4 --arg=image:float[4]=iota --arg=sampler=nearest,edge --arg=image:uint[4]=7 --arg=float[4]=0
// DUMP 2: [0, 1, 2, 3]
// DUMP 3: [1.0, 2.0, 3.0, 3.0]
kernel void k(read_only image1d_t a, sampler_t s, write_only image1d_t b, global float *o)
{
    int i = get_global_id(0);
    float4 v = read_imagef(a, s, i + 1);
    write_imageui(b, i, (uint4)(i));
    o[i] = v.x;
}
