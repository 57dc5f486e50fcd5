// SPDX-License-Identifier: MIT
// An app that builds a program of OpenCL C 3.0 without -cl-std, and with a macro that has no
// definition. defines.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>

int main(void)
{
    const char *source = "kernel void k(global int *o)\n"
                         "{\n"
                         "    work_group_barrier(CLK_LOCAL_MEM_FENCE);\n"
                         "    o[get_global_id(0)] = work_group_reduce_add(EXTRA);\n"
                         "}\n";
    cl_platform_id platform;
    cl_device_id device;
    cl_int e;
    const size_t n = 64;
    char options[64];
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &e);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &e);
    e = clBuildProgram(program, 1, &device, "-w", NULL, NULL);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, sizeof options, options, NULL);
    printf("%s: %d\n", options, e);
    if (e) return 0;
    cl_kernel kernel = clCreateKernel(program, "k", &e);
    cl_mem out = clCreateBuffer(context, CL_MEM_READ_WRITE, n * sizeof(int), NULL, &e);
    clSetKernelArg(kernel, 0, sizeof out, &out);
    clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL);
    clFinish(queue);
    return 0;
}
