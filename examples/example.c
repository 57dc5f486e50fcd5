// SPDX-License-Identifier: MIT
#include "examples/example.h"

#include <stdarg.h>
#include <string.h>
#include <unistd.h>

void example_check(cl_int status, const char *call)
{
    if (status == CL_SUCCESS) return;
    fprintf(stderr, "%s failed: error %d\n", call, status);
    exit(1);
}

static void find_folder(struct example *e)
{
    ssize_t n = readlink("/proc/self/exe", e->folder, sizeof e->folder - 1);
    e->folder[n > 0 ? n : 0] = 0;
    char *slash = strrchr(e->folder, '/');
    if (slash) *slash = 0;
}

void example_begin(struct example *e, int argc, char **argv, int nbugs)
{
    *e = (struct example){0};
    const char *slash = strrchr(argv[0], '/');
    e->name = slash ? slash + 1 : argv[0];
    find_folder(e);
    if (argc == 2 && !strcmp(argv[1], "--bug")) e->bug = 1;
    else if (argc == 2 && !strncmp(argv[1], "--bug=", 6)) e->bug = atoi(argv[1] + 6);
    else if (argc > 1) e->bug = -1;
    if (e->bug < 0 || e->bug > nbugs) {
        fprintf(stderr, "usage: %s [--bug%s]\n", e->name, nbugs > 1 ? "[=NUMBER]" : "");
        exit(2);
    }
    cl_platform_id platform;
    example_check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    example_check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &e->device, NULL),
                  "clGetDeviceIDs");
    cl_int status;
    e->context = clCreateContext(NULL, 1, &e->device, NULL, NULL, &status);
    example_check(status, "clCreateContext");
    e->queue = clCreateCommandQueue(e->context, e->device, 0, &status);
    example_check(status, "clCreateCommandQueue");
}

static void show_build_log(struct example *e)
{
    size_t size = 0;
    clGetProgramBuildInfo(e->program, e->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char *log = calloc(1, size + 1);
    clGetProgramBuildInfo(e->program, e->device, CL_PROGRAM_BUILD_LOG, size, log, NULL);
    fputs(log, stderr);
    free(log);
}

cl_kernel example_kernel(struct example *e, const char *source, const char *kernel)
{
    cl_int status;
    e->program = clCreateProgramWithSource(e->context, 1, &source, NULL, &status);
    example_check(status, "clCreateProgramWithSource");
    char options[32] = "";
    if (e->bug) snprintf(options, sizeof options, "-DBUG=%d", e->bug);
    status = clBuildProgram(e->program, 1, &e->device, options, NULL, NULL);
    if (status == CL_BUILD_PROGRAM_FAILURE) show_build_log(e);
    example_check(status, "clBuildProgram");
    cl_kernel k = clCreateKernel(e->program, kernel, &status);
    example_check(status, "clCreateKernel");
    return k;
}

cl_kernel example_kernel_from_file(struct example *e, const char *file, const char *kernel)
{
    char path[sizeof e->folder + 256];
    snprintf(path, sizeof path, "%s/%s", e->folder, file);
    FILE *f = fopen(path, "r");
    if (!f) {
        perror(path);
        exit(1);
    }
    char source[65536];
    size_t n = fread(source, 1, sizeof source - 1, f);
    source[n] = 0;
    fclose(f);
    return example_kernel(e, source, kernel);
}

cl_mem example_buffer(struct example *e, cl_mem_flags flags, size_t size, const void *data)
{
    cl_int status;
    if (data) flags |= CL_MEM_COPY_HOST_PTR;
    cl_mem m = clCreateBuffer(e->context, flags, size, (void *)data, &status);
    example_check(status, "clCreateBuffer");
    return m;
}

void example_read(struct example *e, cl_mem m, size_t size, void *data)
{
    example_check(clEnqueueReadBuffer(e->queue, m, CL_TRUE, 0, size, data, 0, NULL, NULL),
                  "clEnqueueReadBuffer");
}

void example_args(cl_kernel k, unsigned n, ...)
{
    va_list ap;
    va_start(ap, n);
    for (unsigned i = 0; i < n; i++) {
        size_t size = va_arg(ap, size_t);
        const void *value = va_arg(ap, const void *);
        example_check(clSetKernelArg(k, i, size, value), "clSetKernelArg");
    }
    va_end(ap);
}

void example_launch(struct example *e, cl_kernel k, unsigned dims, const size_t *global,
                    const size_t *local)
{
    example_check(clEnqueueNDRangeKernel(e->queue, k, dims, NULL, global, local, 0, NULL, NULL),
                  "clEnqueueNDRangeKernel");
    example_check(clFinish(e->queue), "clFinish");
}

int example_end(struct example *e, bool right, const char *what)
{
    printf("%s: %s: %s\n", e->name, what,
           right    ? "right"
           : e->bug ? "wrong (that is the bug)"
                    : "WRONG");
    clReleaseProgram(e->program);
    clReleaseCommandQueue(e->queue);
    clReleaseContext(e->context);
    return right || e->bug ? 0 : 1;
}
