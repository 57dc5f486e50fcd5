// SPDX-License-Identifier: MIT
// Images: creation and refusals, transfers, and what kernels read and write, for every type of
// image and format.
#include "tests/api/fixture.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

static cl_mem image_new(cl_mem_flags flags, cl_channel_order order, cl_channel_type type,
                        cl_image_desc d, void *host)
{
    cl_int e;
    cl_mem m = cl->clCreateImage(context, flags, &(cl_image_format){order, type}, &d, host, &e);
    if (e) fail_msg("clCreateImage: %d", e);
    return m;
}
static cl_image_desc desc_2d(size_t w, size_t h)
{
    return (cl_image_desc){
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = w, .image_height = h};
}

static cl_kernel kernel_of(cl_program p, const char *name)
{
    cl_int e;
    cl_kernel k = cl->clCreateKernel(p, name, &e);
    assert_int_equal(e, CL_SUCCESS);
    return k;
}

static void run(cl_kernel k, unsigned dims, size_t x, size_t y, size_t z)
{
    size_t global[3] = {x, y, z};
    assert_int_equal(cl->clEnqueueNDRangeKernel(queue, k, dims, NULL, global, NULL, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(cl->clFinish(queue), CL_SUCCESS);
}

static void set_mem(cl_kernel k, cl_uint i, cl_mem m)
{
    assert_int_equal(cl->clSetKernelArg(k, i, sizeof m, &m), CL_SUCCESS);
}

static void read_buffer(cl_mem m, size_t n, void *to)
{
    assert_int_equal(cl->clEnqueueReadBuffer(queue, m, CL_TRUE, 0, n, to, 0, NULL, NULL),
                     CL_SUCCESS);
}

// ---- transfers and queries

static void test_transfers(void **state)
{
    uint32_t host[6 * 8], got[4 * 4];
    for (unsigned i = 0; i < 48; i++) host[i] = i;
    cl_image_desc d = desc_2d(6, 6);
    d.image_row_pitch = 8 * 4;
    cl_mem m = image_new(CL_MEM_COPY_HOST_PTR, CL_RGBA, CL_UNSIGNED_INT8, d, host);
    size_t o[3] = {1, 2, 0}, r[3] = {3, 2, 1}, n;
    assert_int_equal(cl->clEnqueueReadImage(queue, m, CL_TRUE, o, r, 16, 0, got, 0, NULL, NULL),
                     CL_SUCCESS);
    for (unsigned y = 0; y < 2; y++)
        for (unsigned x = 0; x < 3; x++) assert_int_equal(got[y * 4 + x], (y + 2) * 8 + x + 1);
    uint32_t color[4] = {1, 2, 3, 300}; // the last saturates
    assert_int_equal(cl->clEnqueueFillImage(queue, m, color, o, r, 0, NULL, NULL), CL_SUCCESS);
    size_t row, slice = 7;
    cl_int e;
    uint32_t *p = cl->clEnqueueMapImage(queue, m, CL_TRUE, CL_MAP_READ, o, r, &row, &slice, 0, NULL,
                                        NULL, &e);
    assert_int_equal(e, CL_SUCCESS);
    assert_int_equal(slice, 0);
    assert_int_equal(p[0], 0xff030201);
    assert_int_equal(p[row / 4 + 2], 0xff030201);
    assert_int_equal(p[3], 2 * 8 + 4);
    assert_int_equal(cl->clEnqueueUnmapMemObject(queue, m, p, 0, NULL, NULL), CL_SUCCESS);
    cl_mem b = fixture_buffer(64);
    assert_int_equal(cl->clEnqueueCopyImageToBuffer(queue, m, b, o, r, 8, 0, NULL, NULL),
                     CL_SUCCESS);
    size_t o2[3] = {0, 0, 0};
    assert_int_equal(cl->clEnqueueCopyBufferToImage(queue, b, m, 8, o2, r, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(cl->clEnqueueCopyImage(queue, m, m, o2, (size_t[]){3, 4, 0}, r, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(cl->clEnqueueCopyImage(queue, m, m, o2, (size_t[]){2, 1, 0}, r, 0, NULL, NULL),
                     CL_MEM_COPY_OVERLAP);
    assert_int_equal(cl->clEnqueueReadImage(queue, m, CL_TRUE, (size_t[]){5, 5, 0},
                                            (size_t[]){1, 1, 1}, 0, 0, got, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(got[0], 0xff030201);
    assert_int_equal(cl->clEnqueueReadImage(queue, m, CL_TRUE, (size_t[]){5, 5, 0},
                                            (size_t[]){2, 1, 1}, 0, 0, got, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(cl->clGetImageInfo(m, CL_IMAGE_WIDTH, sizeof n, &n, NULL), CL_SUCCESS);
    assert_int_equal(n, 6);
    assert_int_equal(cl->clGetImageInfo(b, CL_IMAGE_WIDTH, sizeof n, &n, NULL),
                     CL_INVALID_MEM_OBJECT);
    assert_int_equal(cl->clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 4, got, 0, NULL, NULL),
                     CL_INVALID_MEM_OBJECT);
    cl->clReleaseMemObject(b);
    cl->clReleaseMemObject(m);
}

static void test_refusals(void **state)
{
    cl_int e;
    const cl_image_format ok = {CL_RGBA, CL_FLOAT}, odd = {CL_RGB, CL_FLOAT};
    cl_image_desc d = desc_2d(4, 4);
    assert_null(cl->clCreateImage(context, 0, &odd, &d, NULL, &e));
    assert_int_equal(e, CL_IMAGE_FORMAT_NOT_SUPPORTED);
    assert_null(cl->clCreateImage(context, 0, NULL, &d, NULL, &e));
    assert_int_equal(e, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    d.image_height = 0;
    assert_null(cl->clCreateImage(context, 0, &ok, &d, NULL, &e));
    assert_int_equal(e, CL_INVALID_IMAGE_SIZE);
    d = desc_2d(4, 4);
    d.image_row_pitch = 64;
    assert_null(cl->clCreateImage(context, 0, &ok, &d, NULL, &e));
    assert_int_equal(e, CL_INVALID_IMAGE_DESCRIPTOR);
    assert_null(cl->clCreateSampler(context, CL_FALSE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST, &e));
    assert_int_equal(e, CL_INVALID_VALUE);
    cl_program p = fixture_program("kernel void k(read_only image2d_t a, write_only image2d_t b, "
                                   "sampler_t s, global int *c) {}");
    cl_kernel k = kernel_of(p, "k");
    cl_mem m = image_new(CL_MEM_WRITE_ONLY, CL_RGBA, CL_FLOAT, desc_2d(4, 4), NULL),
           buf = fixture_buffer(16);
    assert_int_equal(cl->clSetKernelArg(k, 0, sizeof m, &m), CL_INVALID_ARG_VALUE);
    assert_int_equal(cl->clSetKernelArg(k, 1, sizeof m, &m), CL_SUCCESS);
    assert_int_equal(cl->clSetKernelArg(k, 0, sizeof buf, &buf), CL_INVALID_MEM_OBJECT);
    assert_int_equal(cl->clSetKernelArg(k, 3, sizeof m, &m), CL_INVALID_MEM_OBJECT);
    assert_int_equal(cl->clSetKernelArg(k, 2, sizeof m, &m), CL_INVALID_SAMPLER);
    assert_int_equal(cl->clSetKernelArg(k, 2, 4, &m), CL_INVALID_ARG_SIZE);
    cl_kernel_arg_access_qualifier q;
    assert_int_equal(
        cl->clGetKernelArgInfo(k, 1, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof q, &q, NULL),
        CL_SUCCESS);
    assert_int_equal(q, CL_KERNEL_ARG_ACCESS_WRITE_ONLY);
    cl->clReleaseMemObject(m);
    cl->clReleaseMemObject(buf);
    cl->clReleaseKernel(k);
    cl->clReleaseProgram(p);
}

// An image made of another shows the same pixels: as sRGB, each value of a channel, those that were
// written as they are.
static void test_views(void **state)
{
    enum { N = 256 };
    cl_program p = fixture_program(
        "kernel void k(read_only image2d_t a, global float4 *o) {\n"
        "    o[get_global_id(0)] = read_imagef(a, (int2)((int)get_global_id(0), 1));\n}");
    cl_kernel k = kernel_of(p, "k");
    static uint8_t pixels[2][N][4];
    for (int i = 0; i < N; i++)
        memcpy(pixels[1][i],
               (uint8_t[]){(uint8_t)i, (uint8_t)(255 - i), (uint8_t)(i ^ 85), (uint8_t)i}, 4);
    cl_image_desc d = desc_2d(N, 2);
    cl_mem m = image_new(CL_MEM_COPY_HOST_PTR, CL_RGBA, CL_UNORM_INT8, d, pixels),
           out = fixture_buffer(N * 16);
    d.mem_object = m;
    cl_mem view = image_new(CL_MEM_READ_ONLY, CL_sRGBA, CL_UNORM_INT8, d, NULL), buffer;
    assert_int_equal(cl->clGetImageInfo(view, CL_IMAGE_BUFFER, sizeof buffer, &buffer, NULL),
                     CL_SUCCESS);
    assert_null(buffer);
    cl->clReleaseMemObject(m); // the view keeps it
    set_mem(k, 0, view);
    set_mem(k, 1, out);
    run(k, 1, N, 1, 1);
    static float got[N][4];
    read_buffer(out, sizeof got, got);
    for (int i = 0; i < N; i++)
        for (int c = 0; c < 4; c++) {
            const double x = pixels[1][i][c] / 255.0, linear = c == 3 ? x
                                                               : x <= 0.04045
                                                                   ? x / 12.92
                                                                   : pow((x + 0.055) / 1.055, 2.4);
            assert_true(fabs(got[i][c] - linear) < 1e-6);
        }
    cl_mem const all[] = {view, out};
    for (int i = 0; i < 2; i++) cl->clReleaseMemObject(all[i]);
    cl->clReleaseKernel(k);
    cl->clReleaseProgram(p);
}

// ---- kernels

// Each format of each type of image: written with values that it holds exactly, read back the same.
static void test_formats(void **state)
{
    cl_program p = fixture_program("kernel void wf(write_only image2d_t o, float4 v) { "
                                   "write_imagef(o, (int2)(get_global_id(0), 1), v); }\n"
                                   "kernel void wi(write_only image2d_t o, int4 v) { "
                                   "write_imagei(o, (int2)(get_global_id(0), 1), v); }\n"
                                   "kernel void wu(write_only image2d_t o, uint4 v) { "
                                   "write_imageui(o, (int2)(get_global_id(0), 1), v); }\n"
                                   "kernel void rf(read_only image2d_t i, global float4 *o) { o[0] "
                                   "= read_imagef(i, (int2)(1, 1)); }\n"
                                   "kernel void ri(read_only image2d_t i, global int4 *o) { o[0] = "
                                   "read_imagei(i, (int2)(1, 1)); }\n"
                                   "kernel void ru(read_only image2d_t i, global uint4 *o) { o[0] "
                                   "= read_imageui(i, (int2)(1, 1)); }\n");
    cl_image_format f[256];
    cl_uint n;
    assert_int_equal(cl->clGetSupportedImageFormats(context, CL_MEM_READ_WRITE,
                                                    CL_MEM_OBJECT_IMAGE2D, 256, f, &n),
                     CL_SUCCESS);
    assert_true(n > 60 && n < 256);
    cl_mem out = fixture_buffer(16);
    for (cl_uint i = 0; i < n; i++) {
        const cl_channel_type t = f[i].image_channel_data_type;
        const bool s = t >= CL_SIGNED_INT8 && t <= CL_SIGNED_INT32,
                   u = t >= CL_UNSIGNED_INT8 && t <= CL_UNSIGNED_INT32;
        if (f[i].image_channel_order == CL_DEPTH) continue;
        cl_mem m = image_new(CL_MEM_READ_WRITE, f[i].image_channel_order, t, desc_2d(4, 3), NULL);
        cl_kernel w = kernel_of(p, s   ? "wi"
                                   : u ? "wu"
                                       : "wf"),
                  r = kernel_of(p, s   ? "ri"
                                   : u ? "ru"
                                       : "rf");
        const float vf[4] = {1, 0, 1, 1};
        const int vi[4] = {-7, 5, 100, -128}, vu[4] = {7, 5, 100, 200};
        const void *v = s ? (const void *)vi : u ? (const void *)vu : vf;
        set_mem(w, 0, m);
        assert_int_equal(cl->clSetKernelArg(w, 1, 16, v), CL_SUCCESS);
        run(w, 1, 4, 1, 1);
        set_mem(r, 0, m);
        set_mem(r, 1, out);
        run(r, 1, 1, 1, 1);
        uint32_t got[4], want[4], one = 1;
        const float onef = 1;
        if (!s && !u) memcpy(&one, &onef, 4);
        read_buffer(out, 16, got);
        memcpy(want, v, 16);
        const uint32_t red = want[0];
        switch (f[i].image_channel_order) {
        case CL_R: want[1] = want[2] = 0, want[3] = one; break;
        case CL_RG: want[2] = 0, want[3] = one; break;
        case CL_RGB: want[3] = one; break;
        case CL_A: want[0] = want[1] = want[2] = 0; break;
        case CL_RA: want[1] = want[2] = 0; break;
        case CL_INTENSITY: want[1] = want[2] = want[3] = red; break;
        case CL_LUMINANCE: want[1] = want[2] = red, want[3] = one; break;
        }
        if (memcmp(got, want, 16))
            fail_msg("order 0x%x type 0x%x: %x %x %x %x, not %x %x %x %x", f[i].image_channel_order,
                     t, got[0], got[1], got[2], got[3], want[0], want[1], want[2], want[3]);
        cl->clReleaseKernel(w);
        cl->clReleaseKernel(r);
        cl->clReleaseMemObject(m);
    }
    cl->clReleaseMemObject(out);
    cl->clReleaseProgram(p);
}

// unorm8: all values both ways; halves and what saturates.
static void test_conversions(void **state)
{
    cl_program p = fixture_program("kernel void copy(read_only image2d_t i, write_only image2d_t "
                                   "o) { int2 at = (int2)(get_global_id(0), 0);\n"
                                   "  write_imagef(o, at, read_imagef(i, at)); }\n");
    float in[8] = {-1, 0.5f, 1.5f, NAN, 0.50196f, 2.5f / 255, 3.5f / 255, 65504};
    const uint8_t want8[8] = {0, 128, 255, 0, 128, 2, 4, 255};
    const uint16_t want16[8] = {0xbc00, 0x3800, 0x3e00, 0x7e00, 0x3804, 0x2105, 0x2307, 0x7bff};
    cl_kernel k = kernel_of(p, "copy");
    cl_mem a = image_new(CL_MEM_COPY_HOST_PTR, CL_R, CL_FLOAT, desc_2d(8, 1), in);
    cl_mem b = image_new(0, CL_R, CL_UNORM_INT8, desc_2d(8, 1), NULL),
           c = image_new(0, CL_R, CL_HALF_FLOAT, desc_2d(8, 1), NULL);
    const size_t o[3] = {0}, r[3] = {8, 1, 1};
    uint8_t got8[8];
    uint16_t got16[8];
    set_mem(k, 0, a);
    set_mem(k, 1, b);
    run(k, 1, 8, 1, 1);
    cl->clEnqueueReadImage(queue, b, CL_TRUE, o, r, 0, 0, got8, 0, NULL, NULL);
    assert_memory_equal(got8, want8, 8);
    set_mem(k, 1, c);
    run(k, 1, 8, 1, 1);
    cl->clEnqueueReadImage(queue, c, CL_TRUE, o, r, 0, 0, got16, 0, NULL, NULL);
    for (unsigned i = 0; i < 8; i++)
        if (i != 3 && abs(got16[i] - want16[i]) > 0)
            fail_msg("%g: %x, not %x", in[i], got16[i], want16[i]);
    cl->clReleaseMemObject(a);
    cl->clReleaseMemObject(b);
    cl->clReleaseMemObject(c);
    cl->clReleaseKernel(k);
    cl->clReleaseProgram(p);
}

// What the specification's formulas give for one coordinate of a row of 4 texels with values 1, 2,
// 3, 4.
static float expected(float s, bool normalized, cl_addressing_mode mode, bool linear)
{
    const int w = 4;
    int i[2];
    float weight[2] = {1, 0}, u = normalized ? s * w : s;
    if (mode == CL_ADDRESS_REPEAT) u = (s - floorf(s)) * w;
    if (mode == CL_ADDRESS_MIRRORED_REPEAT) u = fabsf(s - 2 * rintf(0.5f * s)) * w;
    i[0] = i[1] = (int)floorf(u);
    if (linear) {
        i[0] = (int)floorf(u - 0.5f);
        i[1] = i[0] + 1;
        weight[1] = u - 0.5f - floorf(u - 0.5f);
        weight[0] = 1 - weight[1];
    }
    float sum = 0;
    for (unsigned k = 0; k < 2; k++) {
        if (mode == CL_ADDRESS_REPEAT) i[k] = i[k] < 0 ? i[k] + w : i[k] >= w ? i[k] - w : i[k];
        else if (mode != CL_ADDRESS_CLAMP) i[k] = i[k] < 0 ? 0 : i[k] >= w ? w - 1 : i[k];
        sum += weight[k] * (i[k] >= 0 && i[k] < w ? (float)i[k] + 1 : 0);
    }
    return sum;
}

static void test_samplers(void **state)
{
    cl_program p = fixture_program(
        "kernel void k(read_only image2d_t i, sampler_t s, global float *at, global float *o) {\n"
        "  int x = get_global_id(0); o[x] = read_imagef(i, s, (float2)(at[x], 0.5f)).x; }\n"
        "kernel void ints(read_only image1d_t i, global float *o) {\n"
        "  const sampler_t s = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | "
        "CLK_FILTER_NEAREST;\n"
        "  const sampler_t e = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | "
        "CLK_FILTER_NEAREST;\n"
        "  int x = get_global_id(0); o[x] = read_imagef(i, s, x - 2).x + 10 * read_imagef(i, e, x "
        "- 2).x; }\n");
    const float texels[4] = {1, 2, 3, 4};
    enum { N = 400 };
    float at[N], got[N];
    cl_kernel k = kernel_of(p, "k");
    cl_int e;
    cl_image_desc d = desc_2d(4, 1);
    cl_mem m = image_new(CL_MEM_COPY_HOST_PTR, CL_R, CL_FLOAT, d, (void *)texels),
           out = fixture_buffer(sizeof got), in = fixture_buffer(sizeof at);
    static const cl_addressing_mode modes[] = {CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP,
                                               CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT};
    for (unsigned c = 0; c < 16; c++) {
        const bool normalized = c & 1, linear = c & 2;
        const cl_addressing_mode mode = modes[c >> 2];
        if (!normalized && mode >= CL_ADDRESS_REPEAT) continue;
        for (unsigned i = 0; i < N; i++) at[i] = ((float)i - 200) / (normalized ? 61.0f : 17.0f);
        assert_int_equal(
            cl->clEnqueueWriteBuffer(queue, in, CL_TRUE, 0, sizeof at, at, 0, NULL, NULL),
            CL_SUCCESS);
        cl_sampler s = cl->clCreateSampler(context, normalized, mode,
                                           linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &e);
        assert_int_equal(e, CL_SUCCESS);
        set_mem(k, 0, m);
        assert_int_equal(cl->clSetKernelArg(k, 1, sizeof s, &s), CL_SUCCESS);
        set_mem(k, 2, in);
        set_mem(k, 3, out);
        cl->clReleaseSampler(s);
        run(k, 1, N, 1, 1);
        read_buffer(out, sizeof got, got);
        for (unsigned i = 0; i < N; i++) {
            // one row: at y 0.5 a linear filter meets the border above, with weight 0, or the row
            // itself
            const float want = expected(at[i], normalized, mode, linear) *
                               (linear && normalized && mode == CL_ADDRESS_CLAMP ? 1 : 1);
            if (fabsf(got[i] - want) > 1e-5f)
                fail_msg("mode 0x%x normalized %d linear %d at %g: %g, not %g", mode, normalized,
                         linear, at[i], got[i], want);
        }
    }
    cl_kernel ints = kernel_of(p, "ints");
    cl_image_desc d1 = {.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 4};
    cl_mem m1 = image_new(CL_MEM_COPY_HOST_PTR, CL_R, CL_FLOAT, d1, (void *)texels);
    set_mem(ints, 0, m1);
    set_mem(ints, 1, out);
    run(ints, 1, 8, 1, 1);
    read_buffer(out, 32, got);
    const float want[8] = {10, 10, 11, 22, 33, 44, 40, 40};
    assert_memory_equal(got, want, sizeof want);
    cl->clReleaseKernel(ints);
    cl->clReleaseMemObject(m1);
    cl->clReleaseMemObject(m);
    cl->clReleaseMemObject(in);
    cl->clReleaseMemObject(out);
    cl->clReleaseKernel(k);
    cl->clReleaseProgram(p);
}

// Every type of image: a kernel writes what its coordinates say, the host reads it; then the other
// way.
static void test_types(void **state)
{
    cl_program p = fixture_program(
        "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n"
        "#define X get_global_id(0)\n#define Y get_global_id(1)\n#define Z get_global_id(2)\n"
        "#define K(N, T, C, W) kernel void w##N(write_only T i) { uint v = X + 10 * Y + 100 * Z; "
        "write_imageui(i, C, (uint4)(v, 0, 0, 0)); }\\\n"
        "  kernel void r##N(read_only T i, global uint *o) {\\\n"
        "    o[X + get_global_size(0) * (Y + get_global_size(1) * Z)] = read_imageui(i, C).x + "
        "1000 * (W); }\n"
        "K(1d, image1d_t, (int)X, get_image_width(i))\n"
        "K(buf, image1d_buffer_t, (int)X, get_image_width(i))\n"
        "K(2d, image2d_t, (int2)(X, Y), get_image_dim(i).y)\n"
        "K(3d, image3d_t, (int4)(X, Y, Z, 0), get_image_dim(i).z + get_image_depth(i))\n"
        "K(1da, image1d_array_t, (int2)(X, Y), get_image_array_size(i))\n"
        "K(2da, image2d_array_t, (int4)(X, Y, Z, 0), get_image_height(i) + "
        "get_image_array_size(i))\n");
    cl_mem store = fixture_buffer(5 * 4);
    const struct {
        const char *name;
        cl_image_desc d;
        size_t size[3];
        unsigned dims, word;
    } types[] = {
        {"1d", {.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 5}, {5, 1, 1}, 1, 5},
        {"buf",
         {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 5, .mem_object = store},
         {5, 1, 1},
         1,
         5},
        {"2d",
         {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 5, .image_height = 4},
         {5, 4, 1},
         2,
         4},
        {"3d",
         {.image_type = CL_MEM_OBJECT_IMAGE3D,
          .image_width = 5,
          .image_height = 4,
          .image_depth = 3},
         {5, 4, 3},
         3,
         6},
        {"1da",
         {.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .image_width = 5, .image_array_size = 4},
         {5, 4, 1},
         2,
         4},
        {"2da",
         {.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
          .image_width = 5,
          .image_height = 4,
          .image_array_size = 3},
         {5, 4, 3},
         3,
         7},
    };
    cl_mem out = fixture_buffer(60 * 4);
    for (unsigned t = 0; t < 6; t++) {
        char name[8];
        const size_t *n = types[t].size, o[3] = {0}, count = n[0] * n[1] * n[2];
        uint32_t got[60];
        cl_mem m = image_new(0, CL_R, CL_UNSIGNED_INT32, types[t].d, NULL);
        snprintf(name, sizeof name, "w%s", types[t].name);
        cl_kernel w = kernel_of(p, name);
        name[0] = 'r';
        cl_kernel r = kernel_of(p, name);
        set_mem(w, 0, m);
        run(w, types[t].dims, n[0], n[1], n[2]);
        assert_int_equal(cl->clEnqueueReadImage(queue, m, CL_TRUE, o, n, 0, 0, got, 0, NULL, NULL),
                         CL_SUCCESS);
        for (unsigned i = 0; i < count; i++)
            assert_int_equal(got[i], i % 5 + 10 * (i / 5 % n[1]) + 100 * (i / 5 / n[1]));
        set_mem(r, 0, m);
        set_mem(r, 1, out);
        run(r, types[t].dims, n[0], n[1], n[2]);
        read_buffer(out, count * 4, got);
        for (unsigned i = 0; i < count; i++)
            assert_int_equal(got[i], i % 5 + 10 * (i / 5 % n[1]) + 100 * (i / 5 / n[1]) +
                                         1000 * types[t].word);
        cl->clReleaseKernel(w);
        cl->clReleaseKernel(r);
        cl->clReleaseMemObject(m);
    }
    cl->clReleaseMemObject(out);
    cl->clReleaseMemObject(store);
    cl->clReleaseProgram(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transfers),   cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_views),       cmocka_unit_test(test_formats),
        cmocka_unit_test(test_conversions), cmocka_unit_test(test_samplers),
        cmocka_unit_test(test_types),
    };
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
