// SPDX-License-Identifier: MIT
// Misuse of pipes, one a kernel; piped.sh looks at what is reported. With the argument "right":
// only what is right. With a file after it: the program is that bitcode or SPIR-V. With "source":
// its source.
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// `fill` writes more packets than the pipe takes: which of them fit is unspecified.
static const char source[] =
    "kernel void fill(write_only pipe int p, global int *n, global int *sum) {\n"
    "    int v = (int)get_global_id(0) + 100;\n"
    "    if (write_pipe(p, &v) == 0) { atomic_inc(n); atomic_add(sum, v); }\n"
    "}\n"
    "kernel void drain(read_only pipe int p, global int *n, global int *sum) {\n"
    "    int v;\n"
    "    if (read_pipe(p, &v) == 0) { atomic_inc(n); atomic_sub(sum, v); }\n"
    "}\n"
    "kernel void by_group(write_only pipe int p) {\n"
    "    reserve_id_t r = work_group_reserve_write_pipe(p, (uint)get_local_size(0));\n"
    "    if (!is_valid_reserve_id(r)) return;\n"
    "    int v = 1000 + (int)get_global_id(0);\n"
    "    write_pipe(p, r, (uint)get_local_id(0), &v);\n"
    "    work_group_commit_write_pipe(p, r);\n"
    "}\n"
    "kernel void by_sub_group(write_only pipe int p) {\n"
    "    reserve_id_t r = sub_group_reserve_write_pipe(p, get_sub_group_size());\n"
    "    if (!is_valid_reserve_id(r)) return;\n"
    "    int v = 1;\n"
    "    write_pipe(p, r, get_sub_group_local_id(), &v);\n"
    "    sub_group_commit_write_pipe(p, r);\n"
    "}\n"
    "kernel void past(write_only pipe int p) {\n"
    "    reserve_id_t r = reserve_write_pipe(p, 2);\n"
    "    int v = 1;\n"
    "    write_pipe(p, r, 0, &v);\n"
    "    write_pipe(p, r, 1, &v);\n"
    "    write_pipe(p, r, 2, &v); // past\n"
    "    commit_write_pipe(p, r);\n"
    "}\n"
    "kernel void twice(write_only pipe int p) {\n"
    "    reserve_id_t r = reserve_write_pipe(p, 1);\n"
    "    int v = 1;\n"
    "    write_pipe(p, r, 0, &v);\n"
    "    commit_write_pipe(p, r);\n"
    "    commit_write_pipe(p, r); // twice\n"
    "}\n"
    "kernel void late(write_only pipe int p) {\n"
    "    reserve_id_t r = reserve_write_pipe(p, 1);\n"
    "    int v = 1;\n"
    "    commit_write_pipe(p, r);\n"
    "    write_pipe(p, r, 0, &v); // late\n"
    "}\n"
    "kernel void unchecked(write_only pipe int p) {\n"
    "    reserve_id_t r = reserve_write_pipe(p, 1000000);\n"
    "    int v = 1;\n"
    "    write_pipe(p, r, 0, &v); // unchecked\n"
    "}\n"
    "kernel void apart(write_only pipe int p) {\n"
    "    reserve_id_t r = work_group_reserve_write_pipe(p, 4);\n"
    "    int v = 7;\n"
    "    write_pipe(p, r, (uint)get_local_id(0) & 3, &v);\n"
    "    if (get_local_id(0) < 2) work_group_commit_write_pipe(p, r); // apart\n"
    "}\n"
    "kernel void hollow(write_only pipe int p) { // a packet without a value\n"
    "    reserve_id_t r = reserve_write_pipe(p, 1);\n"
    "    commit_write_pipe(p, r);\n"
    "}\n"
    "kernel void look(read_only pipe int p, global int *out) {\n"
    "    int v = 5;\n"
    "    read_pipe(p, &v);\n"
    "    *out = v; // hollow\n"
    "}\n";

static cl_context ctx;
static cl_command_queue q;
static cl_program prog;

static void run(const char *name, size_t n, size_t local, cl_mem pipe, cl_mem a, cl_mem b)
{
    cl_kernel k = clCreateKernel(prog, name, NULL);
    clSetKernelArg(k, 0, sizeof pipe, &pipe);
    if (a) clSetKernelArg(k, 1, sizeof a, &a);
    if (b) clSetKernelArg(k, 2, sizeof b, &b);
    if (clEnqueueNDRangeKernel(q, k, 1, NULL, &n, &local, 0, NULL, NULL))
        printf("%s did not run\n", name);
    clFinish(q);
    clReleaseKernel(k);
}

static int value(cl_mem m)
{
    int v = 0;
    clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof v, &v, 0, NULL, NULL);
    return v;
}

static cl_program from_file(const char *path, cl_device_id d)
{
    static unsigned char data[1 << 20];
    FILE *f = fopen(path, "rb");
    const size_t size = f ? fread(data, 1, sizeof data, f) : 0;
    const unsigned char *part = data;
    if (f) fclose(f);
    if (size > 4 && !memcmp(data, "\3\2\43\7", 4))
        return clCreateProgramWithIL(ctx, data, size, NULL);
    return clCreateProgramWithBinary(ctx, 1, &d, &size, &part, NULL, NULL);
}

int main(int argc, char **argv)
{
    const int right = argc > 1 && !strcmp(argv[1], "right");
    if (argc > 1 && !strcmp(argv[1], "source")) return puts(source) < 0;
    cl_platform_id platform;
    cl_device_id d;
    const char *s = source;
    int zero[2] = {0};
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &d, NULL);
    ctx = clCreateContext(NULL, 1, &d, NULL, NULL, NULL);
    q = clCreateCommandQueueWithProperties(ctx, d, NULL, NULL);
    prog = argc > 1 + right ? from_file(argv[1 + right], d)
                            : clCreateProgramWithSource(ctx, 1, &s, NULL, NULL);
    if (clBuildProgram(prog, 1, &d, argc > 1 + right ? "" : "-cl-std=CL3.0", NULL, NULL)) {
        char log[8000];
        clGetProgramBuildInfo(prog, d, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        printf("%s", log);
        return 1;
    }
    cl_mem p = clCreatePipe(ctx, 0, sizeof(int), 100, NULL, NULL);
    cl_mem n = clCreateBuffer(ctx, CL_MEM_COPY_HOST_PTR, 4, zero, NULL),
           sum = clCreateBuffer(ctx, CL_MEM_COPY_HOST_PTR, 4, zero, NULL);
    for (int round = 0; round < 3; round++) { // three times round the ring
        run("fill", 128, 16, p, n, sum);
        printf("%d written\n", value(n));
        clEnqueueWriteBuffer(q, n, CL_TRUE, 0, 4, zero, 0, NULL, NULL);
        run("drain", 64, 16, p, n, sum);
        run("drain", 64, 16, p, n, sum);
        printf("%d read, others than written: %d\n", value(n), value(sum));
        clEnqueueWriteBuffer(q, n, CL_TRUE, 0, 4, zero, 0, NULL, NULL);
        clEnqueueWriteBuffer(q, sum, CL_TRUE, 0, 4, zero, 0, NULL, NULL);
    }
    run("by_group", 128, 16, p, NULL, NULL); // six of the eight groups find room
    run("drain", 128, 16, p, n, sum);
    printf("%d read by groups\n", value(n));
    if (right) return 0;
    clEnqueueWriteBuffer(q, n, CL_TRUE, 0, 4, zero, 0, NULL, NULL);
    run("by_sub_group", 64, 16, p, NULL, NULL);
    run("drain", 128, 16, p, n, sum);
    printf("%d read by sub-groups\n", value(n));
    static const char *const wrong[] = {"past", "twice", "late", "unchecked"};
    for (int i = 0; i < 4; i++) run(wrong[i], 1, 1, p, NULL, NULL);
    run("apart", 4, 4, p, NULL, NULL);
    cl_mem fresh = clCreatePipe(ctx, 0, sizeof(int), 4, NULL, NULL);
    run("hollow", 1, 1, fresh, NULL, NULL);
    run("look", 1, 1, fresh, sum, NULL);
    return 0;
}
