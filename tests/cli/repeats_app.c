// SPDX-License-Identifier: MIT
// A program with equal launches, for repeats.sh: repeats_app N. Each launch computes the same from
// the same; only the first one finds memory that was never written. The last one has another
// argument.
#include <CL/cl.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    const char *const source = "kernel void twice(global const int *in, global int *out, int n) {\n"
                               "    out[get_global_id(0)] = n * in[get_global_id(0)];\n"
                               "}\n";
    enum { N = 64 };
    const int launches = argc > 1 ? atoi(argv[1]) : 4, zeros[N] = {0};
    const size_t global = N, local = 16;
    cl_platform_id platform;
    cl_device_id device;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    const cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    const cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, NULL);
    const char *text = source;
    const cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, NULL);
    clBuildProgram(program, 1, &device, "", NULL, NULL);
    const cl_kernel kernel = clCreateKernel(program, "twice", NULL);
    const cl_mem in = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, sizeof zeros,
                                     (void *)zeros, NULL),
                 out = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof zeros, NULL, NULL);
    clSetKernelArg(kernel, 0, sizeof in, &in);
    clSetKernelArg(kernel, 1, sizeof out, &out);
    for (int i = 1; i <= launches; i++) {
        const int n = i < launches ? 2 : 3;
        clSetKernelArg(kernel, 2, sizeof n, &n);
        if (clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL))
            return 3;
        clFinish(queue);
    }
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseContext(context);
    return 0;
}
