// SPDX-License-Identifier: MIT
// An app with unified shared memory and one error, or none: usm WHICH, as in usm.sh.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stdio.h>
#include <string.h>

static const char source[] = "kernel void add(global int *p, int n) {\n"
                             "    int i = get_global_id(0);\n"
                             "    if (i < n) p[i] += 1;\n"
                             "}\n";

static void *function(cl_platform_id p, const char *name)
{
    return clGetExtensionFunctionAddressForPlatform(p, name);
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "right";
    cl_platform_id platform;
    cl_device_id device;
    cl_int e;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &e),
                     other = clCreateCommandQueueWithProperties(context, device, NULL, &e);
    const char *text = source;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &e);
    clBuildProgram(program, 1, &device, "", NULL, NULL);
    cl_kernel kernel = clCreateKernel(program, "add", &e);
    clSharedMemAllocINTEL_fn allocate = function(platform, "clSharedMemAllocINTEL");
    clMemFreeINTEL_fn release = function(platform, "clMemFreeINTEL");
    clSetKernelArgMemPointerINTEL_fn set = function(platform, "clSetKernelArgMemPointerINTEL");
    clEnqueueMemFillINTEL_fn fill = function(platform, "clEnqueueMemFillINTEL");
    const int is_device = !strcmp(which, "unwritten") || !strcmp(which, "copied");
    const int is_svm = !strncmp(which, "svm-", 4);
    if (is_device) allocate = function(platform, "clDeviceMemAllocINTEL");
    int *p = is_svm ? clSVMAlloc(context, CL_MEM_READ_WRITE, 64 * sizeof *p, 0)
                    : allocate(context, device, NULL, 64 * sizeof *p, 0, &e);
    const int zero = 0, n = !strcmp(which, "outside") ? 65 : 64;
    size_t items = 128;
    int all[64] = {0};
    clEnqueueMemcpyINTEL_fn copy = function(platform, "clEnqueueMemcpyINTEL");
    if (!strcmp(which, "copied")) copy(queue, 1, p, all, sizeof all, 0, NULL, NULL);
    if (!strcmp(which, "svm-mapped")) {
        clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, p, sizeof all, 0, NULL, NULL);
        memset(p, 0, sizeof all);
        clEnqueueSVMUnmap(queue, p, 0, NULL, NULL);
    }
    if (!strcmp(which, "svm-unmapped")) // not allowed, but written all the same
        for (int i = 0; i < 64; i++) p[i] = -1 - (1 << 24) * 2 - (1 << 16) - (1 << 8);
    if (!is_device && !is_svm) fill(queue, p, &zero, sizeof zero, 64 * sizeof *p, 0, NULL, NULL);
    set(kernel, 0, p);
    clSetKernelArg(kernel, 1, sizeof n, &n);
    if (!strcmp(which, "freed")) clFinish(queue), release(context, p);
    clEnqueueNDRangeKernel(!strcmp(which, "unordered") ? other : queue, kernel, 1, NULL, &items,
                           NULL, 0, NULL, NULL);
    clFinish(queue);
    clFinish(other);
    if (strcmp(which, "freed")) {
        copy(queue, 1, all, p, sizeof all, 0, NULL, NULL);
        printf("%d\n", all[63]);
    }
    if (is_svm) clSVMFree(context, p);
    else if (strcmp(which, "leaked") && strcmp(which, "freed")) release(context, p);
    if (!strcmp(which, "twice")) release(context, p);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseCommandQueue(queue);
    clReleaseCommandQueue(other);
    clReleaseContext(context);
    return 0;
}
