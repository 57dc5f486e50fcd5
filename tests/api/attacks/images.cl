// SPDX-License-Identifier: MIT
constant sampler_t at = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
constant sampler_t wild = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
//= out-of-bounds
kernel void image_write(write_only image2d_t w, read_only image2d_t r) {
    write_imagef(w, (int2)(0x7fffffff, -1), (float4)1); write_imagef(w, (int2)(1 << 30, 1 << 30), (float4)1);
    write_imagef(w, (int2)(-2147483647 - 1, 5), (float4)1); write_imagef(w, (int2)(8, 0), (float4)1); }
//= anything
kernel void image_read(write_only image2d_t w, read_only image2d_t r) {
    float4 s = read_imagef(r, at, (int2)(0x7fffffff, 0x7fffffff)) + read_imagef(r, at, (int2)(-2147483647 - 1, -1));
    s += read_imagef(r, wild, (float2)(INFINITY, NAN)) + read_imagef(r, wild, (float2)(1e38f, -1e38f));
    write_imagef(w, (int2)(get_global_id(0) & 7, 0), s); }
