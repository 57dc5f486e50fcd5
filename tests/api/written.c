// SPDX-License-Identifier: MIT
// A buffer is read by a kernel after it was written in each way there is; with an argument, one only in part. For written.sh.
#include "api/dispatch.h"

#include <string.h>

static const char source[] = "kernel void put(global int *a, int n) { int i = get_global_id(0); if (i < n) a[i] = i; }\n"
                             "kernel void get(global const int *a, global int *o) { int i = get_global_id(0); o[i] = a[i]; }\n";
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

int main(int argc, char **argv)
{
    cl = cldbg_dispatch();
    cl_platform_id p;
    cl_device_id d;
    bad = cl->clGetPlatformIDs(1, &p, NULL) | cl->clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, 1, &d, NULL);
    ctx = cl->clCreateContext(NULL, 1, &d, NULL, NULL, NULL);
    q = cl->clCreateCommandQueue(ctx, d, 0, NULL);
    const char *text = source;
    program = cl->clCreateProgramWithSource(ctx, 1, &text, NULL, NULL);
    bad |= cl->clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    cl_int data[N] = {0}, one = 1;
    cl_mem a = fresh(), b = fresh();
    if (argc > 1) { // 10 of its elements have no value, nor have those of a copy
        put(a, N - 10);
        bad |= cl->clEnqueueCopyBuffer(q, a, b, 0, 0, BYTES, 0, NULL, NULL);
        get(strcmp(argv[1], "copy") ? a : b);
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
    a = fresh();
    void *at = cl->clEnqueueMapBuffer(q, a, CL_TRUE, CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, NULL);
    memset(at, 0, BYTES);
    bad |= cl->clEnqueueUnmapMemObject(q, a, at, 0, NULL, NULL);
    get(a);
    get(cl->clCreateBuffer(ctx, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, BYTES, data, NULL));
    get(cl->clCreateBuffer(ctx, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, BYTES, data, NULL));
    return bad != CL_SUCCESS;
}
