// SPDX-License-Identifier: MIT
// An application of several launches and transfers, for earlier.py: `several KERNELS.cl
// OPERATION…`. Two buffers of SIZE bytes, 0 and 1; operations are words with numbers:
//   NAME:BUFFER:FROM:VALUE:GLOBAL:LOCAL  launches kernel NAME
//   write:BUFFER:FROM:BYTES:VALUE  fill:…  map:…  native:…   the host writes VALUE, VALUE + 1, …
//   (fill: VALUE) copy:BUFFER:FROM:BYTES:TO  copies to byte TO of the other buffer again:BUFFER
//   releases the buffer and creates it again;  build  builds the program again
//   svm  from here on the buffers are shared virtual memory, which write and fill address as that
// The environment variable SEVERAL has options of the build.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 6000 };
static cl_context ctx;
static cl_device_id device;
static cl_command_queue queue;
static cl_program program;
static cl_mem buffers[2];
static unsigned char *svm[2]; // instead; or NULL

static void check(cl_int e, const char *what)
{
    if (!e) return;
    fprintf(stderr, "%s: %d\n", what, e);
    exit(99);
}
#define CHECK(call) check(call, #call)

static void create(unsigned k)
{
    static unsigned char zero[SIZE];
    cl_int e;
    buffers[k] = clCreateBuffer(ctx, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, SIZE, zero, &e);
    check(e, "buffer");
}

static void build(const char *path)
{
    static char text[20000];
    const char *source = text;
    FILE *f = fopen(path, "r");
    if (!f || !fread(text, 1, sizeof text - 1, f)) exit(98);
    fclose(f);
    if (program) CHECK(clReleaseProgram(program));
    program = clCreateProgramWithSource(ctx, 1, &source, NULL, NULL);
    CHECK(clBuildProgram(program, 0, NULL, getenv("SEVERAL"), NULL, NULL));
}

static void launch(const char *name, const int *n)
{
    cl_int e;
    cl_kernel k = clCreateKernel(program, name, &e);
    check(e, name);
    const size_t global = (size_t)n[3], local = (size_t)n[4];
    for (unsigned i = 0; i < 2; i++)
        CHECK(svm[0] ? clSetKernelArgSVMPointer(k, i, svm[n[0] ^ (int)i])
                     : clSetKernelArg(k, i, sizeof(cl_mem), &buffers[n[0] ^ (int)i]));
    CHECK(clSetKernelArg(k, 2, sizeof(int), &n[1]));
    CHECK(clSetKernelArg(k, 3, sizeof(int), &n[2]));
    CHECK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 0, NULL, NULL));
    CHECK(clReleaseKernel(k));
}

static void share(void)
{
    for (unsigned i = 0; i < 2; i++) {
        svm[i] = clSVMAlloc(ctx, CL_MEM_READ_WRITE, SIZE, 0);
        if (!svm[i]) exit(97);
        memset(svm[i], 0, SIZE);
    }
}

static void transfer_shared(const char *name, const int *n)
{
    unsigned char bytes[SIZE], *at = svm[n[0]] + n[1];
    const size_t size = (size_t)n[2];
    for (int i = 0; i < n[2]; i++) bytes[i] = (unsigned char)(n[3] + i);
    if (!strcmp(name, "write"))
        CHECK(clEnqueueSVMMemcpy(queue, CL_TRUE, at, bytes, size, 0, NULL, NULL));
    if (!strcmp(name, "fill")) CHECK(clEnqueueSVMMemFill(queue, at, bytes, 1, size, 0, NULL, NULL));
}

static void CL_CALLBACK native(void *args)
{
    unsigned char *p;
    int n[3];
    memcpy(&p, args, sizeof p);
    memcpy(n, (char *)args + sizeof p, sizeof n);
    for (int i = 0; i < n[1]; i++) p[n[0] + i] = (unsigned char)(n[2] + i);
}

static void transfer(const char *name, const int *n)
{
    unsigned char bytes[SIZE];
    const size_t from = (size_t)n[1], size = (size_t)n[2];
    const cl_mem b = buffers[n[0]];
    for (int i = 0; i < n[2]; i++) bytes[i] = (unsigned char)(n[3] + i);
    if (!strcmp(name, "write"))
        CHECK(clEnqueueWriteBuffer(queue, b, CL_TRUE, from, size, bytes, 0, NULL, NULL));
    if (!strcmp(name, "fill"))
        CHECK(clEnqueueFillBuffer(queue, b, bytes, 1, from, size, 0, NULL, NULL));
    if (!strcmp(name, "copy"))
        CHECK(
            clEnqueueCopyBuffer(queue, b, buffers[!n[0]], from, (size_t)n[3], size, 0, NULL, NULL));
    if (!strcmp(name, "map")) {
        unsigned char *p =
            clEnqueueMapBuffer(queue, b, CL_TRUE, CL_MAP_WRITE, from, size, 0, NULL, NULL, NULL);
        memcpy(p, bytes, size);
        CHECK(clEnqueueUnmapMemObject(queue, b, p, 0, NULL, NULL));
    }
    if (!strcmp(name, "native")) {
        struct {
            void *p;
            int n[3];
        } args = {NULL, {n[1], n[2], n[3]}};
        const void *at = &args.p;
        CHECK(clEnqueueNativeKernel(queue, native, &args, sizeof args, 1, &b, &at, 0, NULL, NULL));
    }
}

int main(int argc, char **argv)
{
    cl_platform_id p;
    cl_int e;
    CHECK(clGetPlatformIDs(1, &p, NULL));
    CHECK(clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    ctx = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    check(e, "context");
    queue = clCreateCommandQueue(ctx, device, 0, &e);
    check(e, "queue");
    build(argv[1]);
    create(0);
    create(1);
    for (int i = 2; i < argc; i++) {
        char name[20];
        int n[5] = {0};
        sscanf(argv[i], "%19[^:]:%d:%d:%d:%d:%d", name, &n[0], &n[1], &n[2], &n[3], &n[4]);
        if (!strcmp(name, "build")) {
            CHECK(clFinish(queue));
            build(argv[1]);
        } else if (!strcmp(name, "again")) {
            CHECK(clReleaseMemObject(buffers[n[0]]));
            create((unsigned)n[0]);
        } else if (!strcmp(name, "svm")) {
            share();
        } else if (strchr("wfcmn", *name)) {
            (svm[0] ? transfer_shared : transfer)(name, n);
        } else {
            launch(name, n);
        }
    }
    CHECK(clFinish(queue));
    return 0;
}
