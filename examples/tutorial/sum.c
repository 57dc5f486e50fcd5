// SPDX-License-Identifier: MIT
// Adds numbers up on a device: sum KERNEL-FILE
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 1000, GROUP = 64, GROUPS = (N + GROUP - 1) / GROUP };

static void check(cl_int err, const char *what)
{
    if (err == CL_SUCCESS) return;
    fprintf(stderr, "%s failed: %d\n", what, err);
    exit(1);
}

int main(int argc, char **argv)
{
    static char source[10000];
    FILE *in = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (!in || !fread(source, 1, sizeof source - 1, in)) return 2;
    fclose(in);

    cl_platform_id platform;
    cl_device_id device;
    cl_int err;
    check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_DEFAULT, 1, &device, NULL), "clGetDeviceIDs");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    check(err, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &err);
    check(err, "clCreateCommandQueue");
    const char *text = source;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
    check(clBuildProgram(program, 1, &device, "", NULL, NULL), "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, "sum", &err);
    check(err, "clCreateKernel");

    float x[N], partial[GROUPS], sum = 0;
    for (int i = 0; i < N; i++) x[i] = 1;
    cl_mem in_buffer =
        clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof x, x, &err);
    check(err, "clCreateBuffer");
    cl_mem out_buffer = clCreateBuffer(context, CL_MEM_WRITE_ONLY, sizeof partial, NULL, &err);
    check(err, "clCreateBuffer");
    cl_int n = N;
    clSetKernelArg(kernel, 0, sizeof in_buffer, &in_buffer);
    clSetKernelArg(kernel, 1, sizeof out_buffer, &out_buffer);
    clSetKernelArg(kernel, 2, sizeof n, &n);
    size_t global = GROUPS * GROUP, local = GROUP;
    check(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL), "launch");
    check(
        clEnqueueReadBuffer(queue, out_buffer, CL_TRUE, 0, sizeof partial, partial, 0, NULL, NULL),
        "read");
    for (int i = 0; i < GROUPS; i++) sum += partial[i];
    printf("sum: %g\n", sum);

    clReleaseMemObject(in_buffer);
    clReleaseMemObject(out_buffer);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
