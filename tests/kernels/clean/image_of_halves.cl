// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=image:float4[4,1]=iota --arg=image:float4[4,1]=0 --arg=half4[4]=0 --build-options=-cl-std=CL3.0
// DUMP 1: [c for i in range(4) for c in (8 * i, 8 * i + 2, 8 * i + 4, 8 * i + 6)]
// DUMP 2: [8 * i + 2 * c + (2 if i < 3 else 0) for i in range(4) for c in range(4)]
// read_imageh and write_imageh: what float has, rounded.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
constant sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;
kernel void k(read_only image2d_t from, write_only image2d_t to, global half4 *o)
{
    int x = get_global_id(0);
    half4 v = read_imageh(from, (int2)(x, 0));
    o[x] = v + read_imageh(from, s, (float2)(x + 1, 0.5f));
    write_imageh(to, (int2)(x, 0), v * (half)2);
}
