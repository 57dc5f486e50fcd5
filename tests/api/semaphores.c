// SPDX-License-Identifier: MIT
// An app with two queues and a semaphore: semaphores WHICH, as in semaphores.sh.
#include "api/semaphore.h"

#include "api/new_names.h"

#include <stdio.h>
#include <string.h>

static __typeof__(api_clCreateSemaphoreWithPropertiesKHR) *create;
static __typeof__(api_clEnqueueWaitSemaphoresKHR) *enqueue_wait;
static __typeof__(api_clEnqueueSignalSemaphoresKHR) *enqueue_signal;
static __typeof__(api_clReleaseSemaphoreKHR) *release;

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
    *(void **)&create = function(platform, "clCreateSemaphoreWithPropertiesKHR");
    *(void **)&enqueue_wait = function(platform, "clEnqueueWaitSemaphoresKHR");
    *(void **)&enqueue_signal = function(platform, "clEnqueueSignalSemaphoresKHR");
    *(void **)&release = function(platform, "clReleaseSemaphoreKHR");
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &e),
                     other = clCreateCommandQueueWithProperties(context, device, NULL, &e);
    cl_mem from = clCreateBuffer(context, CL_MEM_READ_WRITE, 256, NULL, &e),
           to = clCreateBuffer(context, CL_MEM_READ_WRITE, 256, NULL, &e);
    const cl_ulong binary[] = {NEW_SEMAPHORE_TYPE, NEW_SEMAPHORE_TYPE_BINARY, 0};
    api_semaphore s = create(context, binary, &e);
    const int seven = 7, is_early = !strcmp(which, "early"), waits = strcmp(which, "missing");
    int got = 0;
    if (is_early) {
        enqueue_wait(other, 1, &s, NULL, 0, NULL, NULL);
        clEnqueueCopyBuffer(other, from, to, 0, 0, 256, 0, NULL, NULL);
        clFlush(other);
    }
    clEnqueueFillBuffer(queue, from, &seven, sizeof seven, 0, 256, 0, NULL, NULL);
    enqueue_signal(queue, 1, &s, NULL, 0, NULL, NULL);
    clFlush(queue);
    if (!is_early) {
        if (waits) enqueue_wait(other, 1, &s, NULL, 0, NULL, NULL);
        clEnqueueCopyBuffer(other, from, to, 0, 0, 256, 0, NULL, NULL);
    }
    clEnqueueReadBuffer(other, to, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL);
    clFinish(queue);
    printf("%d\n", got);
    if (strcmp(which, "leaked")) release(s);
    clReleaseMemObject(from);
    clReleaseMemObject(to);
    clReleaseCommandQueue(queue);
    clReleaseCommandQueue(other);
    clReleaseContext(context);
}
