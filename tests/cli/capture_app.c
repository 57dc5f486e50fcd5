// SPDX-License-Identifier: MIT
// A program whose launches have every kind of argument, for the test of captures: parts of a
// buffer, one buffer as two arguments, memory that was never written, NULL, local memory, a struct
// by value, samplers, images of their own and on buffers. Launch 1 is `all`, 2 is `half_written`, 3
// is `clean`; each prints what it computed.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *source =
    "#include \"capture_part.h\"\n"
    "kernel void all(global int *part, global const int *again, struct pair p, local int *t, "
    "global int *none,\n"
    "                read_only image2d_t img, sampler_t s, read_only image1d_array_t rows, "
    "write_only image2d_t onto,\n"
    "                read_only image1d_buffer_t flat, global float *out) {\n"
    "    int i = get_global_id(0), l = get_local_id(0);\n"
    "    t[l] = i;\n"
    "    float4 v = read_imagef(img, s, (float2)(i / 8.0f, 0.625f));\n"
    "    uint4 r = read_imageui(rows, (int2)(i & 3, 1));\n"
    "    int4 f = read_imagei(flat, i);\n"
    "    write_imagef(onto, (int2)(i, 0), (float4)(v.x, 1, 2, 3));\n"
    "    out[i] = v.x + r.x + f.x + again[i] + p.a + p.b[i & 1] + (none ? 1000 : 0);\n"
    "    part[i + 1] = t[l ^ 1];\n" // no barrier; and the last one is outside of the part, though
                                    // not of its buffer
    "}\n"
    "kernel void half_written(global const int *a, global int *o) { int i = get_global_id(0); o[i] "
    "= a[i]; }\n"
    "kernel void clean(global int *o) { o[get_global_id(0)] = 1; }\n";

#define CHECK(what)                                                                                \
    do {                                                                                           \
        cl_int code_ = (what);                                                                     \
        if (code_) {                                                                               \
            printf("line %d: error %d\n", __LINE__, code_);                                        \
            exit(3);                                                                               \
        }                                                                                          \
    } while (0)

enum { N = 8 };
static cl_context ctx;
static cl_command_queue q;
static cl_int e;

static cl_mem buffer(cl_mem_flags flags, size_t size, void *data)
{
    cl_mem m = clCreateBuffer(ctx, flags | (data ? CL_MEM_COPY_HOST_PTR : 0), size, data, &e);
    CHECK(e);
    return m;
}

static cl_mem image(cl_mem_flags flags, cl_channel_order order, cl_channel_type type,
                    cl_image_desc d, void *data)
{
    cl_mem m = clCreateImage(ctx, flags | (data ? CL_MEM_COPY_HOST_PTR : 0),
                             &(cl_image_format){order, type}, &d, data, &e);
    CHECK(e);
    return m;
}

static void launch(cl_kernel k, size_t local)
{
    CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &(size_t){N}, &local, 0, NULL, NULL));
    CHECK(clFinish(q));
}

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    CHECK(clGetPlatformIDs(1, &platform, NULL));
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    ctx = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    CHECK(e);
    q = clCreateCommandQueue(ctx, device, 0, &e);
    CHECK(e);
    cl_program p = clCreateProgramWithSource(ctx, 1, &source, NULL, &e);
    CHECK(clBuildProgram(p, 0, NULL, "-I .", NULL, NULL));

    int ints[64];
    unsigned char bytes[8] = {10, 20, 30, 40, 50, 60, 70, 80};
    float pixels[16];
    for (int i = 0; i < 64; i++) ints[i] = i * 3;
    for (int i = 0; i < 16; i++) pixels[i] = i * 0.25f;
    cl_mem whole = buffer(CL_MEM_READ_WRITE, sizeof ints, ints);
    cl_mem part = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                                    &(cl_buffer_region){128, N * 4}, &e);
    CHECK(e);
    cl_mem img = image(
        CL_MEM_READ_ONLY, CL_R, CL_FLOAT,
        (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4},
        pixels);
    cl_mem rows = image(CL_MEM_READ_ONLY, CL_R, CL_UNSIGNED_INT8,
                        (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY,
                                        .image_width = 4,
                                        .image_array_size = 2},
                        bytes);
    cl_mem onto = image(
        CL_MEM_WRITE_ONLY, CL_RGBA, CL_UNORM_INT8,
        (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 2},
        NULL);
    cl_mem flat = image(CL_MEM_READ_ONLY, CL_R, CL_SIGNED_INT32,
                        (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER,
                                        .image_width = 64,
                                        .mem_object = whole},
                        NULL);
    cl_sampler s = clCreateSampler(ctx, CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_LINEAR, &e);
    CHECK(e);
    float result[N] = {0};
    cl_mem out = buffer(CL_MEM_WRITE_ONLY, sizeof result, NULL);
    struct {
        int a;
        int b[2];
    } pair = {100, {200, 300}};
    cl_kernel k = clCreateKernel(p, "all", &e);
    CHECK(e);
    CHECK(clSetKernelArg(k, 0, sizeof part, &part));
    CHECK(clSetKernelArg(k, 1, sizeof whole, &whole));
    CHECK(clSetKernelArg(k, 2, sizeof pair, &pair));
    CHECK(clSetKernelArg(k, 3, 4 * sizeof(int), NULL));
    CHECK(clSetKernelArg(k, 4, sizeof(cl_mem), NULL));
    CHECK(clSetKernelArg(k, 5, sizeof img, &img));
    CHECK(clSetKernelArg(k, 6, sizeof s, &s));
    CHECK(clSetKernelArg(k, 7, sizeof rows, &rows));
    CHECK(clSetKernelArg(k, 8, sizeof onto, &onto));
    CHECK(clSetKernelArg(k, 9, sizeof flat, &flat));
    CHECK(clSetKernelArg(k, 10, sizeof out, &out));
    launch(k, 4);
    CHECK(clEnqueueReadBuffer(q, out, CL_TRUE, 0, sizeof result, result, 0, NULL, NULL));
    for (int i = 0; i < N; i++) printf("  out[%d] = %.9g\n", i, result[i]);

    cl_mem holes = buffer(CL_MEM_READ_WRITE, N * 4, NULL),
           o = buffer(CL_MEM_READ_WRITE, N * 4, NULL);
    CHECK(clEnqueueWriteBuffer(q, holes, CL_TRUE, 4, 12, ints, 0, NULL, NULL));
    CHECK(clEnqueueFillBuffer(q, holes, ints + 5, 4, 24, 8, 0, NULL, NULL));
    k = clCreateKernel(p, "half_written", &e);
    CHECK(e);
    CHECK(clSetKernelArg(k, 0, sizeof holes, &holes));
    CHECK(clSetKernelArg(k, 1, sizeof o, &o));
    launch(k, N);
    k = clCreateKernel(p, "clean", &e);
    CHECK(e);
    CHECK(clSetKernelArg(k, 0, sizeof o, &o));
    launch(k, N);
    return 0;
}
