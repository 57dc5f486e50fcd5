// SPDX-License-Identifier: MIT
// An app that goes on for long: launches, programs and kernels, buffers; its memory must stay flat.
// usage: many [launches N | programs N | large GIBIBYTES]     default: a little of the first two
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static cl_context context;
static cl_command_queue queue;
static cl_device_id device;

static void need(int is_so, const char *what)
{
    if (is_so) return;
    printf("%s\n", what);
    exit(1);
}

static double resident(void)
{
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%*u %lu", &pages) != 1) pages = 0;
    if (f) fclose(f);
    return (double)pages * (double)sysconf(_SC_PAGESIZE) / 1048576;
}

/** After the first tenth nothing may grow by more than a quarter and 8 MiB. */
static void flat(const char *what, unsigned long i, unsigned long n)
{
    static double early;
    const double now = resident();
    if (i == n / 10) early = now;
    if (i % (n / 10 ? n / 10 : 1) == 0) printf("%lu %s: %.1f MiB\n", i, what, now);
    need(i <= n / 10 || now <= early * 1.25 + 8, "memory grows");
}

static cl_program build(const char *text)
{
    cl_int e;
    cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &e);
    need(!e && !clBuildProgram(p, 1, &device, "", NULL, NULL), "no program");
    return p;
}

static void launches(unsigned long n)
{
    cl_int e;
    cl_program p = build("kernel void k(global int *a, int n) { local int t[64]; "
                         "t[get_local_id(0)] = n; barrier(CLK_LOCAL_MEM_FENCE);\n"
                         "    a[get_global_id(0)] += t[63 - get_local_id(0)]; }\n");
    cl_kernel k = clCreateKernel(p, "k", &e);
    cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE, 256 * 4, NULL, &e);
    const int zero = 0;
    int out[256];
    clEnqueueFillBuffer(queue, m, &zero, 4, 0, sizeof out, 0, NULL, NULL);
    const size_t global = 256, local = 64;
    const int one = 1;
    clSetKernelArg(k, 0, sizeof m, &m);
    clSetKernelArg(k, 1, sizeof one, &one);
    for (unsigned long i = 1; i <= n; i++) {
        cl_event done;
        need(!clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &local, 0, NULL, &done),
             "no launch");
        clReleaseEvent(done);
        if (i % 64 == 0) clFinish(queue);
        flat("launches", i, n);
    }
    need(!clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL), "no result");
    for (int i = 0; i < 256; i++) need(out[i] == (int)n, "another result");
    clReleaseMemObject(m);
    clReleaseKernel(k);
    clReleaseProgram(p);
}

static void programs(unsigned long n)
{
    for (unsigned long i = 1; i <= n; i++) {
        char text[200];
        cl_int e;
        snprintf(text, sizeof text, "kernel void k(global int *a) { a[get_global_id(0)] = %lu; }\n",
                 i % 50);
        cl_program p = build(text);
        cl_kernel k = clCreateKernel(p, "k", &e);
        cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE, 64, NULL, &e);
        const size_t global = 16;
        int out[16];
        clSetKernelArg(k, 0, sizeof m, &m);
        need(!clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, NULL, 0, NULL, NULL), "no launch");
        need(!clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 64, out, 0, NULL, NULL) &&
                 out[15] == (int)(i % 50),
             "another result");
        clReleaseMemObject(m);
        clReleaseKernel(k);
        clReleaseProgram(p);
        flat("programs", i, n);
    }
}

static void large(unsigned long gib)
{
    cl_int e;
    const size_t bytes = gib << 30, global = 1024;
    cl_program p = build("kernel void k(global char *a, ulong n) { size_t at = get_global_id(0) * "
                         "(n / 1024) + n / 1024 - 1; a[at] = (char)get_global_id(0); }\n");
    cl_kernel k = clCreateKernel(p, "k", &e);
    cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE, bytes, NULL, &e);
    need(!e, "no such buffer");
    const cl_ulong n = bytes;
    char last;
    clSetKernelArg(k, 0, sizeof m, &m);
    clSetKernelArg(k, 1, sizeof n, &n);
    need(!clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, NULL, 0, NULL, NULL), "no launch");
    need(!clEnqueueReadBuffer(queue, m, CL_TRUE, bytes - 1, 1, &last, 0, NULL, NULL) &&
             last == (char)1023,
         "another result");
    printf("%lu GiB, last byte written and read: %.1f MiB resident\n", gib, resident());
}

int main(int argc, char **argv)
{
    cl_platform_id platform;
    cl_int e;
    need(!clGetPlatformIDs(1, &platform, NULL) &&
             !clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
         "no device");
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    queue = clCreateCommandQueue(context, device, 0, &e);
    need(!e, "no queue");
    setvbuf(stdout, NULL, _IOLBF, 0);
    const char *what = argc == 3 ? argv[1] : "";
    const unsigned long n = argc == 3 ? strtoul(argv[2], NULL, 10) : 0;
    if (!strcmp(what, "launches")) launches(n);
    else if (!strcmp(what, "programs")) programs(n);
    else if (!strcmp(what, "large")) large(n);
    else launches(2000), programs(10);
    return 0;
}
