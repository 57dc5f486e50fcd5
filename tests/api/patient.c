// SPDX-License-Identifier: MIT
// An app that handles Ctrl-C itself, as Python does: it looks when its kernel has ended. Says how
// the kernel's command ended, and whether the next launch, a short one, is as ever.
#include <CL/cl.h>

#include <signal.h>
#include <stdio.h>

static volatile sig_atomic_t seen;
static void on_signal(int sig) { seen++; }

static cl_int launch(cl_command_queue q, cl_kernel k, cl_ulong n)
{
    cl_event done;
    cl_int status = clSetKernelArg(k, 1, sizeof n, &n);
    if (!status) status = clEnqueueNDRangeKernel(q, k, 1, NULL, &(size_t){8}, NULL, 0, NULL, &done);
    if (status) return status;
    clFinish(q);
    clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
    clReleaseEvent(done);
    return status;
}

int main(void)
{
    signal(SIGINT, on_signal);
    const char *text = "kernel void k(global uint *out, ulong n) { for (ulong i = 0; i < n; i++) "
                       "out[get_global_id(0)] ^= i; }\n";
    cl_platform_id platform;
    cl_device_id device;
    cl_int e;
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        return 2;
    cl_context c = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    cl_command_queue q = clCreateCommandQueue(c, device, 0, &e);
    cl_program p = clCreateProgramWithSource(c, 1, &text, NULL, &e);
    if (clBuildProgram(p, 1, &device, "", NULL, NULL)) return 2;
    cl_kernel k = clCreateKernel(p, "k", &e);
    cl_mem m = clCreateBuffer(c, CL_MEM_READ_WRITE, 32, NULL, &e);
    clEnqueueFillBuffer(q, m, "0123", 4, 0, 32, 0, NULL, NULL);
    clSetKernelArg(k, 0, sizeof m, &m);
    const cl_int first = launch(q, k, 1000000000000ull), next = launch(q, k, 3);
    printf("the kernel ended with %d, the next with %d; %d signals\n", first, next, (int)seen);
    return 0;
}
