// SPDX-License-Identifier: MIT
// A buffer is read by a kernel after it was written in each way there is; with an argument, one
// only in part. For written.sh.
#include "api/dispatch.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char source[] =
    "kernel void put(global int *a, int n) { int i = get_global_id(0); if (i < n) a[i] = i; }\n"
    "kernel void get(global const int *a, global int *o) { int i = get_global_id(0); o[i] = a[i]; "
    "}\n"
    "kernel void paint(write_only image2d_t m, int n)\n"
    "{ int i = get_global_id(0); if (i < n) write_imagef(m, (int2)(i % 10, i / 10), (float4)(i)); "
    "}\n"
    "kernel void look(read_only image2d_t m, sampler_t s, float by, global float *o)\n"
    "{ int i = get_global_id(0); o[i] = read_imagef(m, s, (float2)(i % 10 + by, i / 10 + 0.5f)).x; "
    "}\n";
enum { N = 100, BYTES = 4 * N };
static const struct _cl_icd_dispatch *cl;
static cl_context ctx;
static cl_command_queue q;
static cl_program program;
static cl_int bad;

static cl_mem fresh(void) { return cl->clCreateBuffer(ctx, CL_MEM_READ_WRITE, BYTES, NULL, NULL); }

static void run(cl_kernel k)
{
    const size_t n = N;
    bad |= cl->clEnqueueNDRangeKernel(q, k, 1, NULL, &n, NULL, 0, NULL, NULL) | cl->clFinish(q);
}
static void put(cl_mem m, cl_int n)
{
    cl_kernel k = cl->clCreateKernel(program, "put", NULL);
    bad |= cl->clSetKernelArg(k, 0, sizeof m, &m) | cl->clSetKernelArg(k, 1, sizeof n, &n);
    run(k);
}
static void get(cl_mem m)
{
    cl_mem o = fresh();
    cl_kernel k = cl->clCreateKernel(program, "get", NULL);
    bad |= cl->clSetKernelArg(k, 0, sizeof m, &m) | cl->clSetKernelArg(k, 1, sizeof o, &o);
    run(k);
}

// ---- the same of images of 10 x 10 pixels

static cl_mem fresh_image(cl_mem_flags more, void *data)
{
    const cl_image_format f = {CL_R, CL_FLOAT};
    const cl_image_desc d = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 10, .image_height = 10};
    return cl->clCreateImage(ctx, CL_MEM_READ_WRITE | more, &f, &d, data, NULL);
}
static void paint(cl_mem m, cl_int n)
{
    cl_kernel k = cl->clCreateKernel(program, "paint", NULL);
    bad |= cl->clSetKernelArg(k, 0, sizeof m, &m) | cl->clSetKernelArg(k, 1, sizeof n, &n);
    run(k);
}
static void look(cl_mem m, cl_filter_mode filter, cl_float by)
{
    cl_mem o = fresh();
    cl_kernel k = cl->clCreateKernel(program, "look", NULL);
    cl_sampler s = cl->clCreateSampler(ctx, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, filter, NULL);
    bad |= cl->clSetKernelArg(k, 0, sizeof m, &m) | cl->clSetKernelArg(k, 1, sizeof s, &s) |
           cl->clSetKernelArg(k, 2, sizeof by, &by) | cl->clSetKernelArg(k, 3, sizeof o, &o);
    run(k);
}

static void images(const char *how)
{
    static float data[N];
    const size_t none[3] = {0}, all[3] = {10, 10, 1}, top[3] = {10, 5, 1}, middle[3] = {0, 5, 0};
    const cl_float color[4] = {1};
    cl_mem a = fresh_image(0, NULL), b = fresh_image(0, NULL);
    if (how) { // its last ten pixels have no value
        paint(a, N - 10);
        if (strstr(how, "filled"))
            bad |= cl->clEnqueueFillImage(q, b, color, none, all, 0, NULL, NULL);
        bad |= cl->clEnqueueCopyImage(q, a, b, none, none, all, 0, NULL, NULL);
        look(strncmp(how, "image-copy", 10) ? a : b, CL_FILTER_NEAREST, 0.5f);
        return;
    }
    paint(a, N);
    look(a, CL_FILTER_LINEAR, 0.25f);
    bad |= cl->clEnqueueCopyImage(q, a, b, none, none, all, 0, NULL, NULL);
    look(b, CL_FILTER_NEAREST, 0.5f);
    bad |= cl->clEnqueueFillImage(q, a = fresh_image(0, NULL), color, none, all, 0, NULL, NULL);
    look(a, CL_FILTER_LINEAR, 1);
    a = fresh_image(0, NULL);
    bad |= cl->clEnqueueWriteImage(q, a, CL_TRUE, none, top, 0, 0, data, 0, NULL, NULL);
    bad |= cl->clEnqueueWriteImage(q, a, CL_TRUE, middle, top, 0, 0, data, 0, NULL, NULL);
    look(a, CL_FILTER_LINEAR, 0.75f);
    size_t pitch;
    a = fresh_image(0, NULL);
    void *at = cl->clEnqueueMapImage(q, a, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, none, all,
                                     &pitch, NULL, 0, NULL, NULL, NULL);
    bad |= cl->clEnqueueUnmapMemObject(q, a, at, 0, NULL, NULL);
    look(a, CL_FILTER_NEAREST, 0.5f);
    bad |= cl->clEnqueueCopyBufferToImage(
        q, cl->clCreateBuffer(ctx, CL_MEM_COPY_HOST_PTR, BYTES, data, NULL),
        a = fresh_image(0, NULL), 0, none, all, 0, NULL, NULL);
    look(a, CL_FILTER_LINEAR, 0.5f);
    look(fresh_image(CL_MEM_COPY_HOST_PTR, data), CL_FILTER_NEAREST, 0.5f);
    look(fresh_image(CL_MEM_USE_HOST_PTR, data), CL_FILTER_NEAREST, 0.5f);
    paint(a = fresh_image(0, NULL), 1); // a filter right at a pixel takes nothing of its neighbors
    const size_t one = 1;
    cl_mem o = fresh();
    cl_kernel k = cl->clCreateKernel(program, "look", NULL);
    cl_sampler s =
        cl->clCreateSampler(ctx, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR, NULL);
    const cl_float half = 0.5f;
    bad |= cl->clSetKernelArg(k, 0, sizeof a, &a) | cl->clSetKernelArg(k, 1, sizeof s, &s) |
           cl->clSetKernelArg(k, 2, sizeof half, &half) | cl->clSetKernelArg(k, 3, sizeof o, &o) |
           cl->clEnqueueNDRangeKernel(q, k, 1, NULL, &one, NULL, 0, NULL, NULL) | cl->clFinish(q);
}

static long resident(void) // bytes
{
    long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%*d %ld", &pages) != 1) bad |= CL_OUT_OF_HOST_MEMORY;
    if (f) fclose(f);
    return pages * sysconf(_SC_PAGESIZE);
}

/** A large buffer that is written whole takes no memory for knowing it. */
static void large(void)
{
    enum { SIZE = 64 << 20 };
    const cl_int one = 1;
    const long before = resident();
    bad |= cl->clEnqueueFillBuffer(q, cl->clCreateBuffer(ctx, CL_MEM_READ_WRITE, SIZE, NULL, NULL),
                                   &one, 4, 0, SIZE, 0, NULL, NULL) |
           cl->clFinish(q);
    const long grown = resident() - before;
    if (getenv("CLDBG_TEST_TSAN")) return; // whose own memory is resident, too
    if (grown < SIZE || grown > SIZE + SIZE / 4)
        fprintf(stderr, "%ld bytes more are resident after a fill of %d\n", grown, SIZE);
    const long then = resident();
    cl_mem a = cl->clCreateBuffer(ctx, CL_MEM_READ_WRITE, SIZE, NULL, NULL);
    bad |= cl->clEnqueueWriteBuffer(q, a, CL_TRUE, 0, 4, &one, 0, NULL, NULL) |
           cl->clEnqueueWriteBuffer(q, a, CL_TRUE, SIZE - 4, 4, &one, 0, NULL, NULL);
    const long ends = resident() - then; // two pages, which may be huge
    if (ends > 5 << 20)
        fprintf(stderr, "%ld bytes more are resident after its ends were written\n", ends);
}

int main(int argc, char **argv)
{
    cl = cldbg_dispatch();
    cl_platform_id p;
    cl_device_id d;
    bad = cl->clGetPlatformIDs(1, &p, NULL) |
          cl->clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, 1, &d, NULL);
    ctx = cl->clCreateContext(NULL, 1, &d, NULL, NULL, NULL);
    q = cl->clCreateCommandQueue(ctx, d, 0, NULL);
    const char *text = source;
    program = cl->clCreateProgramWithSource(ctx, 1, &text, NULL, NULL);
    bad |= cl->clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    cl_int data[N] = {0}, one = 1;
    cl_mem a = fresh(), b = fresh();
    if (argc > 1 && !strncmp(argv[1], "image", 5)) {
        images(argv[1]);
        return bad != CL_SUCCESS;
    }
    if (argc > 1) { // 10 of its elements have no value, nor have those of a copy
        if (strcmp(argv[1], "host")) put(a, N - 10);
        else
            for (cl_uint i = 0; i < N - 10; i += 2)
                bad |=
                    cl->clEnqueueWriteBuffer(q, a, CL_TRUE, 4 * (i + 1), 4, data, 0, NULL, NULL) |
                    cl->clEnqueueWriteBuffer(q, a, CL_TRUE, 4 * i, 4, data, 0, NULL, NULL);
        if (!strcmp(argv[1], "copy-filled"))
            bad |= cl->clEnqueueFillBuffer(q, b, &one, 4, 0, BYTES, 0, NULL, NULL);
        if (!strcmp(argv[1], "copy-given"))
            b = cl->clCreateBuffer(ctx, CL_MEM_COPY_HOST_PTR, BYTES, data, NULL);
        bad |= cl->clEnqueueCopyBuffer(q, a, b, 0, 0, BYTES, 0, NULL, NULL);
        get(strncmp(argv[1], "copy", 4) ? a : b);
        return bad != CL_SUCCESS;
    }
    put(a, N);
    get(a);
    bad |= cl->clEnqueueCopyBuffer(q, a, b, 0, 0, BYTES, 0, NULL, NULL);
    get(b);
    bad |= cl->clEnqueueFillBuffer(q, a = fresh(), &one, 4, 0, BYTES, 0, NULL, NULL);
    get(a);
    a = fresh(); // in two halves
    bad |= cl->clEnqueueWriteBuffer(q, a, CL_TRUE, 0, BYTES / 2, data, 0, NULL, NULL);
    bad |= cl->clEnqueueWriteBuffer(q, a, CL_TRUE, BYTES / 2, BYTES / 2, data, 0, NULL, NULL);
    get(a);
    put(a = fresh(),
        7); // in part, then whole, and copies of that: in two parts, and by way of another
    bad |= cl->clEnqueueWriteBuffer(q, a, CL_TRUE, 0, BYTES, data, 0, NULL, NULL);
    get(a);
    bad |= cl->clEnqueueCopyBuffer(q, a, b = fresh(), 0, 0, BYTES - 13, 0, NULL, NULL);
    bad |= cl->clEnqueueCopyBuffer(q, a, b, BYTES - 20, BYTES - 20, 20, 0, NULL, NULL);
    get(b);
    bad |= cl->clEnqueueCopyBuffer(q, b, a = fresh(), 0, 0, BYTES, 0, NULL, NULL);
    get(a);
    put(a, 3); // completely written memory stays so
    get(a);
    a = fresh(); // in pieces that do not touch, more than are noted; then what lies between
    for (int part = 0; part < 2; part++)
        for (cl_uint i = 0; i < N / 4; i++)
            bad |=
                cl->clEnqueueWriteBuffer(q, a, CL_TRUE, 16 * i + 8 * part, 8, data, 0, NULL, NULL);
    get(a);
    a = fresh();
    void *at = cl->clEnqueueMapBuffer(q, a, CL_TRUE, CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, NULL);
    memset(at, 0, BYTES);
    bad |= cl->clEnqueueUnmapMemObject(q, a, at, 0, NULL, NULL);
    get(a);
    get(cl->clCreateBuffer(ctx, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, BYTES, data, NULL));
    get(cl->clCreateBuffer(ctx, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, BYTES, data, NULL));
    images(NULL);
    large();
    return bad != CL_SUCCESS;
}
