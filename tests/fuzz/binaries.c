// SPDX-License-Identifier: MIT
// Programs that somebody else made: builds each file named on stdin ("bc PATH", LLVM bitcode or a
// program of ours; "il PATH", SPIR-V; "save PATH": OpenCL C, its binary goes to PATH.own) and
// launches what kernels it has, with arguments that fit by trial. For any content, the app
// goes on: a build that fails, or kernels that read and write nothing but the buffer, which lies
// between canaries and a page that faults.
#include <CL/cl.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { BYTES = 512, MOST = 20, CANARY = 0x5a };

static cl_context context;
static cl_command_queue queue;
static cl_device_id device;
static uint8_t *page; // the buffer is its end
static size_t page_size;

static void set_arguments(cl_kernel k, cl_mem m)
{
    static const size_t sizes[] = {4, 8, 1, 2, 16, 32, 64, 128};
    static const uint8_t value[128] = {3};
    cl_uint n = 0;
    clGetKernelInfo(k, CL_KERNEL_NUM_ARGS, sizeof n, &n, NULL);
    for (cl_uint i = 0; i < n; i++) {
        if (!clSetKernelArg(k, i, sizeof m, &m) || !clSetKernelArg(k, i, 256, NULL)) continue;
        for (size_t s = 0;
             s < sizeof sizes / sizeof *sizes && clSetKernelArg(k, i, sizes[s], value); s++) {}
    }
}

static int launch_all(cl_program p)
{
    cl_kernel kernels[MOST];
    cl_uint n = 0, launched = 0;
    cl_int e;
    if (clCreateKernelsInProgram(p, MOST, kernels, &n)) return 0;
    for (cl_uint i = 0; i < n; i++) {
        memset(page, CANARY, page_size);
        cl_mem m = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, BYTES,
                                  page + page_size - BYTES, &e);
        set_arguments(kernels[i], m);
        const size_t global = 24, local = 8;
        launched +=
            !clEnqueueNDRangeKernel(queue, kernels[i], 1, NULL, &global, &local, 0, NULL, NULL);
        clFinish(queue);
        clReleaseMemObject(m);
        clReleaseKernel(kernels[i]);
        for (size_t at = 0; at < page_size - BYTES; at++)
            if (page[at] != CANARY) printf("memory before the buffer was written\n"), exit(1);
    }
    return (int)launched;
}

static void take(const char *kind, const char *path)
{
    static unsigned char bytes[1 << 20];
    FILE *f = fopen(path, "r");
    if (!f) return;
    const size_t size = fread(bytes, 1, sizeof bytes, f);
    fclose(f);
    const unsigned char *binary = bytes;
    cl_int e = 0, status = 0;
    cl_program p = !strcmp(kind, "il") ? clCreateProgramWithIL(context, bytes, size, &e)
                                       : clCreateProgramWithBinary(context, 1, &device, &size,
                                                                   &binary, &status, &e);
    if (!e && !p) printf("success without a program\n"), exit(1);
    const cl_int built = e ? e : clBuildProgram(p, 1, &device, "", NULL, NULL);
    if (built > 0 || built < -72) printf("no such code: %d\n", built), exit(1);
    char log[4096] = "";
    if (!e) clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    log[strcspn(log, "\n")] = 0;
    const int launched = built ? 0 : launch_all(p);
    printf("\n%s %d %d %s\n", path, built, launched, built ? log : ""); // kernels print, too
    fflush(stdout);
    if (p) clReleaseProgram(p);
}

static void save(const char *path)
{
    static char bytes[1 << 20];
    char to[5000];
    FILE *f = fopen(path, "r");
    if (!f) return;
    const size_t size = fread(bytes, 1, sizeof bytes, f);
    const char *text = bytes;
    unsigned char *out = (unsigned char *)bytes;
    size_t n = 0;
    fclose(f);
    cl_program p = clCreateProgramWithSource(context, 1, &text, &size, NULL);
    if (!clBuildProgram(p, 1, &device, "-cl-std=CL2.0", NULL, NULL) &&
        !clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof n, &n, NULL) && n <= sizeof bytes &&
        !clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof out, &out, NULL)) {
        snprintf(to, sizeof to, "%s.own", path);
        f = fopen(to, "w");
        if (!f || fwrite(bytes, 1, n, f) != n || fclose(f))
            printf("cannot write %s\n", to), exit(1);
    }
    clReleaseProgram(p);
    printf("%s saved\n", path);
}

int main(void)
{
    cl_platform_id platform;
    cl_int e;
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        return 2;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    queue = clCreateCommandQueue(context, device, 0, &e);
    page_size = (size_t)sysconf(_SC_PAGESIZE);
    page = mmap(NULL, 2 * page_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED || mprotect(page + page_size, page_size, PROT_NONE)) return 2;
    char kind[8], path[4096];
    while (scanf("%7s %4095s", kind, path) == 2) {
        if (!strcmp(kind, "save")) save(path);
        else take(kind, path);
    }
    return 0;
}
