// SPDX-License-Identifier: MIT
// An app that records commands and enqueues them twice, with one error, or none: command_buffer
// WHICH, as in command_buffer.sh.
#include "api/command_buffer.h"

#include <stdio.h>
#include <string.h>

static const char source[] = "kernel void add(global int *p, int n) {\n"
                             "    int i = get_global_id(0);\n"
                             "    if (i < n) p[i] += 1;\n"
                             "}\n";
// (the installed headers may declare the functions otherwise, so the pointers have other names)
#define FUNCTION(name) static __typeof__(api_cl##name) *my##name
FUNCTION(CreateCommandBufferKHR);
FUNCTION(ReleaseCommandBufferKHR);
FUNCTION(FinalizeCommandBufferKHR);
FUNCTION(EnqueueCommandBufferKHR);
FUNCTION(CommandFillBufferKHR);
FUNCTION(CommandNDRangeKernelKHR);

static cl_command_queue queue, other;
static cl_kernel kernel;
static cl_mem buffer;

static void *function(cl_platform_id p, const char *name)
{
    return clGetExtensionFunctionAddressForPlatform(p, name);
}
#define FIND(name) *(void **)&my##name = function(platform, "cl" #name)

static void set_up(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int e;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                        0};
    queue = clCreateCommandQueueWithProperties(context, device, list, &e);
    other = clCreateCommandQueueWithProperties(context, device, NULL, &e);
    const char *text = source;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &e);
    clBuildProgram(program, 1, &device, "", NULL, NULL);
    kernel = clCreateKernel(program, "add", &e);
    clReleaseProgram(program);
    buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 64 * sizeof(int), NULL, &e);
    clReleaseContext(context);
    FIND(CreateCommandBufferKHR);
    FIND(ReleaseCommandBufferKHR);
    FIND(FinalizeCommandBufferKHR);
    FIND(EnqueueCommandBufferKHR);
    FIND(CommandFillBufferKHR);
    FIND(CommandNDRangeKernelKHR);
}

static void record(cl_command_buffer_khr b, const char *which)
{
    const int n = !strcmp(which, "outside") ? 65 : 64, zero = 0;
    const size_t items = 128;
    cl_sync_point_khr filled;
    clSetKernelArg(kernel, 0, sizeof buffer, &buffer);
    clSetKernelArg(kernel, 1, sizeof n, &n);
    if (strcmp(which, "unwritten"))
        myCommandFillBufferKHR(b, NULL, NULL, buffer, &zero, 4, 0, 256, 0, NULL, &filled, NULL);
    const int is_ordered = strcmp(which, "unordered") && strcmp(which, "unwritten");
    myCommandNDRangeKernelKHR(b, NULL, NULL, kernel, 1, NULL, &items, NULL, is_ordered,
                              is_ordered ? &filled : NULL, NULL, NULL);
}

int main(int argc, char **argv)
{
    const char *which = argc > 1 ? argv[1] : "right";
    int data[64] = {0};
    cl_int e;
    cl_event first, second = NULL;
    set_up();
    cl_command_buffer_khr b = myCreateCommandBufferKHR(1, &queue, NULL, &e);
    record(b, which);
    if (strcmp(which, "unfinished")) myFinalizeCommandBufferKHR(b);
    e = myEnqueueCommandBufferKHR(0, NULL, b, 0, NULL, &first);
    if (!e) {
        if (!strcmp(which, "released")) clReleaseMemObject(buffer);
        const int waits = strcmp(which, "simultaneous") != 0;
        myEnqueueCommandBufferKHR(1, &other, b, waits, waits ? &first : NULL, &second);
        clReleaseEvent(first);
    }
    if (strcmp(which, "released")) {
        clEnqueueReadBuffer(other, buffer, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL);
        clReleaseMemObject(buffer);
    }
    clFinish(queue);
    clFinish(other);
    if (second) clReleaseEvent(second);
    printf("%d\n", data[63]);
    if (strcmp(which, "leaked")) myReleaseCommandBufferKHR(b);
    clReleaseKernel(kernel);
    clReleaseCommandQueue(queue);
    clReleaseCommandQueue(other);
}
