// SPDX-License-Identifier: MIT
// A small app, for refused.py: 0, or 1 where a call failed; each may, for want of memory.
#include "api/dispatch.h"

#include <stdio.h>

static const char source[] =
    "kernel void k(global int *out, local int *t, int n, read_only image2d_t image) {\n"
    "    int a[8]; local int x[16]; for (int i = 0; i < 8; i++) a[i] = i * n;\n"
    "    x[get_local_id(0)] = a[get_local_id(0) & 7]; t[get_local_id(0)] = 3; "
    "barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    const sampler_t s = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
    "    out[get_global_id(0)] = x[15 - get_local_id(0)] + t[3] + (int)read_imagef(image, s, "
    "(int2)(0, 0)).x;\n"
    "    if (get_global_id(0) == 5) out[1000] = 1; out[get_global_id(0) / 2] = 7; "
    "printf(\"%d\\n\", n); }\n";

/** 0, or the first code that is not. */
static cl_int scenario(void)
{
    const struct _cl_icd_dispatch *cl = cldbg_dispatch();
    cl_platform_id platform;
    cl_device_id device;
    cl_int e = 0, first = 0;
#define KEEP(x)                                                                                    \
    do {                                                                                           \
        const cl_int code = (x);                                                                   \
        if (code && !first) first = code;                                                          \
    } while (0)
    KEEP(cl->clGetPlatformIDs(1, &platform, NULL));
    if (first) return first;
    KEEP(cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    cl_context context = cl->clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    KEEP(e);
    if (!context) return first;
    cl_command_queue queue =
        cl->clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &e);
    KEEP(e);
    const char *text = source;
    cl_program program = cl->clCreateProgramWithSource(context, 1, &text, NULL, &e);
    KEEP(e);
    if (program) KEEP(cl->clBuildProgram(program, 1, &device, "-w", NULL, NULL));
    cl_kernel kernel = program ? cl->clCreateKernel(program, "k", &e) : NULL;
    KEEP(e);
    cl_mem buffer = cl->clCreateBuffer(context, CL_MEM_READ_WRITE, 64 * 4, NULL, &e);
    KEEP(e);
    const cl_image_format format = {CL_RGBA, CL_FLOAT};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    cl_mem image = cl->clCreateImage(context, CL_MEM_READ_ONLY, &format, &desc, NULL, &e);
    KEEP(e);
    int data[64] = {0}, n = 3;
    const size_t global = 64, local = 16;
    if (queue && kernel && buffer && image) {
        cl_event event = NULL;
        KEEP(cl->clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL));
        KEEP(cl->clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
        KEEP(cl->clSetKernelArg(kernel, 1, 64, NULL));
        KEEP(cl->clSetKernelArg(kernel, 2, sizeof n, &n));
        KEEP(cl->clSetKernelArg(kernel, 3, sizeof image, &image));
        KEEP(cl->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, &event));
        void *p = event ? cl->clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0,
                                                 sizeof data, 1, &event, NULL, &e)
                        : NULL;
        KEEP(e);
        if (p) KEEP(cl->clEnqueueUnmapMemObject(queue, buffer, p, 0, NULL, NULL));
        if (event) cl->clReleaseEvent(event);
        KEEP(cl->clFinish(queue));
    }
    if (image) cl->clReleaseMemObject(image);
    if (buffer) cl->clReleaseMemObject(buffer);
    if (kernel) cl->clReleaseKernel(kernel);
    if (program) cl->clReleaseProgram(program);
    if (queue) cl->clReleaseCommandQueue(queue);
    cl->clReleaseContext(context);
    return first;
}

int main(void) { return scenario() != 0; }
