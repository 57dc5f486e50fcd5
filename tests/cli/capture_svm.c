// SPDX-License-Identifier: MIT
// Shared virtual memory, for the test of captures: a list whose links are the app's addresses, a
// pointer into the middle of an allocation, and a buffer on one. The launch reads one element past
// the end, and what it writes is printed.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>

static const char *source =
    "struct node { global struct node *next; int value; };\n"
    "kernel void walk(global struct node *first, global int *out, global const int *tail, global "
    "const int *on) {\n"
    "    int sum = 0, i = get_global_id(0);\n"
    "    for (global struct node *n = first; n; n = n->next) sum += n->value;\n"
    "    out[i] = sum + tail[i] + on[i];\n"
    "}\n";

#define CHECK(what)                                                                                \
    do {                                                                                           \
        cl_int code_ = (what);                                                                     \
        if (code_) {                                                                               \
            printf("line %d: error %d\n", __LINE__, code_);                                        \
            exit(3);                                                                               \
        }                                                                                          \
    } while (0)

struct node {
    struct node *next;
    cl_int value;
};

int main(void)
{
    enum { N = 4 };
    cl_platform_id platform;
    cl_device_id device;
    cl_int e;
    CHECK(clGetPlatformIDs(1, &platform, NULL));
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    cl_context ctx = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    CHECK(e);
    cl_command_queue q = clCreateCommandQueueWithProperties(ctx, device, NULL, &e);
    CHECK(e);
    cl_program p = clCreateProgramWithSource(ctx, 1, &source, NULL, &e);
    CHECK(clBuildProgram(p, 0, NULL, "", NULL, NULL));
    cl_kernel k = clCreateKernel(p, "walk", &e);
    CHECK(e);
    struct node *first = NULL;
    for (int i = 1; i <= 3; i++) {
        struct node *n =
            clSVMAlloc(ctx, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, sizeof *n, 0);
        *n = (struct node){first, i * 100};
        first = n;
    }
    int *numbers =
        clSVMAlloc(ctx, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 8 * sizeof *numbers, 0);
    for (int i = 0; i < 8; i++) numbers[i] = i;
    int *out =
        clSVMAlloc(ctx, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, N * sizeof *out, 0);
    cl_mem on = clCreateBuffer(ctx, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, N * sizeof *numbers,
                               numbers, &e);
    CHECK(e);
    CHECK(clSetKernelArgSVMPointer(k, 0, first));
    CHECK(clSetKernelArgSVMPointer(k, 1, out));
    CHECK(clSetKernelArgSVMPointer(k, 2, numbers + 5)); // the last work-item reads past the end
    CHECK(clSetKernelArg(k, 3, sizeof on, &on));
    CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &(size_t){N}, NULL, 0, NULL, NULL));
    CHECK(clFinish(q));
    printf("out = {%d, %d, %d, %d}\n", out[0], out[1], out[2], out[3]);
    // What was freed: the end of the list, an argument, and a buffer that is one.
    struct node *second = first->next, *last = second->next;
    cl_mem let_go = clCreateBuffer(ctx, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                   N * sizeof *numbers, numbers, &e);
    CHECK(e);
    clSVMFree(ctx, last);
    CHECK(clSetKernelArgSVMPointer(k, 2, numbers));
    CHECK(clSetKernelArg(k, 3, sizeof let_go, &let_go));
    CHECK(clReleaseMemObject(on));
    CHECK(clReleaseMemObject(let_go));
    clSVMFree(ctx, numbers);
    CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &(size_t){N}, NULL, 0, NULL, NULL));
    CHECK(clFinish(q));
    return 0;
}
