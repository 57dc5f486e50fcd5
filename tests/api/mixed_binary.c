// SPDX-License-Identifier: MIT
// A program binary whose bitcode is not that of its bytecode, as a stranger can make one: the
// bytecode is honest, the bitcode writes elsewhere. Launched often enough for any engine; prints
// what the kernel wrote. With an argument: a binary as cldbg made it.
#include "base/map.h"

#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 64, LAUNCHES = 20, HEAD = 40, MOST = 1 << 20 };
static const char honest[] = "kernel void k(global int *o) { o[get_global_id(0)] = 1; }",
                  other[] = "kernel void k(global int *o) { o[get_global_id(0) + (1 << 28)] = 2; "
                            "o[get_global_id(0)] = 2; }";

static size_t binary_of(cl_context c, cl_device_id d, const char *source, unsigned char *out)
{
    size_t size = 0;
    cl_program p = clCreateProgramWithSource(c, 1, &source, NULL, NULL);
    if (clBuildProgram(p, 1, &d, "", NULL, NULL)) exit(2);
    clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
    if (size > MOST) exit(2);
    clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof out, &out, NULL);
    clReleaseProgram(p);
    return size;
}

static uint64_t number(const unsigned char *at)
{
    uint64_t n;
    memcpy(&n, at, sizeof n);
    return n;
}

static size_t mix(unsigned char *a, size_t na, const unsigned char *b, size_t nb)
{
    const size_t kept = HEAD + number(a + 32), from = HEAD + number(b + 32), n = nb - from;
    if (kept >= na || from >= nb) exit(2);
    memcpy(a + kept, b + from, n);
    const uint64_t size = kept - HEAD + n,
                   hash = hash_bytes(a + HEAD, size, number(a + 8) & 0xffff);
    memcpy(a + 16, &size, sizeof size);
    memcpy(a + 24, &hash, sizeof hash);
    return kept + n;
}

int main(int argc, char **argv)
{
    static unsigned char a[2 * MOST], b[MOST];
    const unsigned char *binary = a;
    cl_platform_id platform;
    cl_device_id d;
    cl_int out[N] = {0}, e, status;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &d, NULL);
    cl_context c = clCreateContext(NULL, 1, &d, NULL, NULL, NULL);
    const size_t na = binary_of(c, d, honest, a), nb = binary_of(c, d, other, b);
    (void)argv;
    const size_t n = argc > 1 ? na : mix(a, na, b, nb);
    cl_program p = clCreateProgramWithBinary(c, 1, &d, &n, &binary, &status, &e);
    if (e || clBuildProgram(p, 1, &d, "", NULL, NULL)) return 3;
    cl_command_queue q = clCreateCommandQueue(c, d, 0, NULL);
    cl_kernel k = clCreateKernel(p, "k", NULL);
    cl_mem m = clCreateBuffer(c, CL_MEM_READ_WRITE, sizeof out, NULL, NULL);
    clSetKernelArg(k, 0, sizeof m, &m);
    for (int i = 0; i < LAUNCHES; i++)
        clEnqueueNDRangeKernel(q, k, 1, NULL, &(size_t){N}, &(size_t){16}, 0, NULL, NULL);
    clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL);
    int sum = 0;
    for (int i = 0; i < N; i++) sum += out[i];
    printf("sum %d\n", sum);
    clReleaseMemObject(m);
    clReleaseKernel(k);
    clReleaseCommandQueue(q);
    clReleaseProgram(p);
    clReleaseContext(c);
    return 0;
}
