// SPDX-License-Identifier: MIT
// Programs that do not look at what OpenCL returns, for beginner.sh: `beginner CASE`.
#include <CL/cl.h>
#include <stdio.h>
#include <string.h>

static const char *const source =
    "kernel void fills(global int *a, float f) { a[get_global_id(0)] = (int)f; }\n";

int main(int argc, char **argv)
{
    const char *const name = argc == 2 ? argv[1] : "";
#define IS(text) (!strcmp(name, text))
    cl_platform_id p;
    cl_device_id d;
    clGetPlatformIDs(1, &p, NULL);
    clGetDeviceIDs(p, IS("no-device") ? CL_DEVICE_TYPE_CUSTOM : CL_DEVICE_TYPE_ALL, 1, &d, NULL);
    if (IS("no-device")) return 0;
    clGetDeviceInfo(d, 0x4001, 0, NULL, NULL); // of another vendor's
    if (IS("extension")) return !!clGetExtensionFunctionAddressForPlatform(p, "clFooKHR");
    cl_context c = clCreateContext(NULL, 1, &d, NULL, NULL, NULL);
    cl_command_queue q = clCreateCommandQueue(c, d, 0, NULL);
    cl_program program = clCreateProgramWithSource(c, 1, (const char **)&source, NULL, NULL);
    clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    cl_kernel k = clCreateKernel(program, "fills", NULL);
    cl_mem m = clCreateBuffer(c, 0, 1024, NULL, NULL);
    const size_t items = 100, group = IS("group") ? 64 : 50;
    const double twice = 1;
    const float f = 1;
    clSetKernelArg(k, 0, sizeof m, &m);
    if (IS("argument")) clSetKernelArg(k, 1, sizeof twice, &twice);
    else clSetKernelArg(k, 1, sizeof f, &f);
    for (int i = 0; i < (IS("group") ? 8 : 1); i++)
        clEnqueueNDRangeKernel(q, k, 1, NULL, &items, &group, 0, NULL, NULL);
    if (IS("transfer")) clEnqueueReadBuffer(q, m, CL_TRUE, 1024, 4, &(int){0}, 0, NULL, NULL);
    if (IS("released")) clReleaseMemObject(m), clReleaseMemObject(m);
    clFinish(q);
    return 0;
}
