// SPDX-License-Identifier: MIT
// options: -cl-std=CL3.0
// images of every form, with coordinates of every kind
constant sampler_t none = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
constant sampler_t smooth = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_LINEAR;
constant sampler_t mirrored = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_LINEAR;
#define LEAST (-2147483647 - 1)
#define MOST 2147483647
//= anything
kernel void read_all_forms(read_only image1d_t a, read_only image1d_array_t b, read_only image2d_array_t c, read_only image3d_t d, read_only image2d_t e, global ulong *out)
{
    float4 s = 0;
    const int n[] = {LEAST, -1, 8, MOST, 1 << 28};
    const float f[] = {INFINITY, -INFINITY, NAN, 1e38f, -1e38f, 2147483648.0f, -2147483904.0f, 8.0f, -0.0f};
    for (int i = 0; i < 5; i++)
        for (int k = 0; k < 5; k++) {
            s += read_imagef(a, none, n[i]) + read_imagef(b, none, (int2)(n[i], n[k])) + read_imagef(c, none, (int4)(n[i], 0, n[k], 0)) + read_imagef(d, none, (int4)(n[i], n[k], n[i], 0));
            s += read_imagef(e, none, (int2)(n[i], n[k]));
        }
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 9; k++) {
            s += read_imagef(a, mirrored, f[i]) + read_imagef(b, smooth, (float2)(f[i], f[k])) + read_imagef(c, mirrored, (float4)(f[i], 0, f[k], 0)) + read_imagef(d, smooth, (float4)(f[i], f[k], f[i], 0));
            s += read_imagef(e, smooth, (float2)(f[i], f[k]));
        }
    out[get_global_id(0) / 2] = (s.x + s.y) != 0;
}
//= out-of-bounds
kernel void write_all_forms(write_only image1d_t a, write_only image1d_array_t b, write_only image2d_array_t c, write_only image2d_t e, write_only image1d_buffer_t g, global ulong *out)
{
    const int n[] = {LEAST, -1, 8, MOST, 1 << 28, 1 << 29};
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 6; k++) {
            write_imagef(a, n[i], (float4)1);
            write_imagef(b, (int2)(n[i], n[k]), (float4)1);
            write_imagef(c, (int4)(0, n[i], n[k], 0), (float4)1);
            write_imagef(e, (int2)(n[i], n[k]), (float4)1);
            write_imagef(g, n[i], (float4)1);
        }
}
//= anything
kernel void of_another_type(read_only image2d_t a, write_only image2d_t b, global ulong *out)
{
    int4 i = read_imagei(a, none, (int2)(0, 0));
    uint4 u = read_imageui(a, none, (int2)(1, 1));
    write_imagei(b, (int2)(0, 0), i);
    write_imageui(b, (int2)(1, 1), u);
}
//= anything
kernel void read_a_buffer(read_only image1d_buffer_t a, global ulong *out) { out[get_global_id(0) / 2] = read_imagef(a, LEAST).x + read_imagef(a, 8).x + read_imagef(a, MOST).x + read_imagef(a, 1 << 28).x != 0; }
//= anything
kernel void both_ways(read_write image2d_t a, global ulong *out) { write_imagef(a, (int2)(get_global_id(0), -5), read_imagef(a, (int2)(-9, MOST))); }
