// SPDX-License-Identifier: MIT
// A program with many launches, for the test of captures and their costs:
//
//     capture_many LAUNCHES ROUNDS BYTES CHANGED [equal | wrong]
//
// A launch computes ROUNDS steps in 256 work-items, and changes CHANGED bytes of a buffer of BYTES.
// `equal`: all launches are equal. `wrong`: every 16th one reads outside its buffer. Prints the CPU
// time and the elapsed time of all launches but the first one.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const char *const source =
    "kernel void step(global uint *a, uint at, uint n, uint rounds) {\n"
    "    const uint i = get_global_id(0);\n"
    "    uint x = a[(at + i) % n] + i;\n"
    "    for (uint r = 0; r < rounds; r++) x = x * 1664525 + (x >> 3);\n"
    "    if (i * 4 < CHANGED) a[(at + i) % n] = EQUAL ? i : x;\n"
    "}\n";

#define CHECK(what)                                                                                \
    do {                                                                                           \
        const cl_int code_ = (what);                                                               \
        if (code_) {                                                                               \
            fprintf(stderr, "line %d: error %d\n", __LINE__, code_);                               \
            exit(3);                                                                               \
        }                                                                                          \
    } while (0)

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

int main(int argc, char **argv)
{
    if (argc < 5) return 2;
    const bool equal = argc > 5 && !strcmp(argv[5], "equal"),
               wrong = argc > 5 && !strcmp(argv[5], "wrong");
    const int launches = atoi(argv[1]);
    const cl_uint rounds = (cl_uint)atoi(argv[2]);
    const size_t bytes = (size_t)atol(argv[3]);
    const cl_uint n = (cl_uint)(bytes / 4);
    char options[80];
    snprintf(options, sizeof options, "-DCHANGED=%s -DEQUAL=%d", argv[4], equal);
    cl_platform_id platform;
    cl_device_id device;
    cl_int e;
    CHECK(clGetPlatformIDs(1, &platform, NULL));
    CHECK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    cl_context ctx = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    CHECK(e);
    cl_command_queue q = clCreateCommandQueueWithProperties(ctx, device, NULL, &e);
    CHECK(e);
    const char *text = source;
    cl_program p = clCreateProgramWithSource(ctx, 1, &text, NULL, &e);
    CHECK(e);
    CHECK(clBuildProgram(p, 0, NULL, options, NULL, NULL));
    cl_kernel k = clCreateKernel(p, "step", &e);
    CHECK(e);
    cl_uint *data = malloc(bytes), x = 1;
    for (cl_uint i = 0; i < n; i++) data[i] = (x = x * 1664525 + 1013904223) >> 12;
    cl_mem a = clCreateBuffer(ctx, CL_MEM_COPY_HOST_PTR, bytes, data, &e);
    CHECK(e);
    CHECK(clSetKernelArg(k, 0, sizeof a, &a));
    CHECK(clSetKernelArg(k, 3, sizeof rounds, &rounds));
    double cpu = 0, wall = 0;
    for (int i = 1; i <= launches; i++) { // the first one makes the machine code
        if (i == 2) cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), wall = seconds(CLOCK_MONOTONIC);
        const bool is_wrong = wrong && i % 16 == 0;
        const cl_uint at = is_wrong ? n - 128
                           : equal  ? 0
                                    : (cl_uint)((size_t)i * 40503 * 64 % n),
                      end = is_wrong ? n + 64 : n;
        CHECK(clSetKernelArg(k, 1, sizeof at, &at));
        CHECK(clSetKernelArg(k, 2, sizeof end, &end));
        CHECK(clEnqueueNDRangeKernel(q, k, 1, NULL, &(size_t){256}, &(size_t){64}, 0, NULL, NULL));
        CHECK(clFinish(q));
    }
    printf("%.6f %.6f\n", seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, seconds(CLOCK_MONOTONIC) - wall);
    free(data);
    return 0;
}
