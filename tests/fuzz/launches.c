// SPDX-License-Identifier: MIT
// Launches many kernels in one process, on the OpenCL that the loader finds. Reads lines on stdin:
//   program PATH [OPTIONS]            builds; the launches below are of it
//   launch KERNEL OX OY OZ GX GY GZ LX LY LZ NARGS     LX 0: the runtime chooses
//   buffer HEX | zero BYTES | fresh BYTES | value HEX | local BYTES  so many lines, the arguments;
//                             `fresh` is a buffer that is not initialized, `same` (fresh BYTES)
//                             that of this argument in the launch before
// and prints "result KERNEL" and for each buffer "bytes HEX", as it is afterwards; or "failed
// KERNEL WHY". With an argument, the process ends (SIGXCPU) where a program or a launch takes so
// many seconds of processor time.
#include <CL/cl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { MAX_ARGS = 16 };

static cl_context ctx;
static cl_command_queue q;
static cl_device_id device;
static char why[64];
static cl_mem kept[MAX_ARGS]; // of the last launch

static size_t unhex(const char *s, unsigned char *out)
{
    size_t n = 0;
    for (unsigned x; sscanf(s + 2 * n, "%2x", &x) == 1; n++) out[n] = (unsigned char)x;
    return n;
}

static int is_bad(const char *what, cl_int e)
{
    if (e) snprintf(why, sizeof why, "%s: %d", what, e);
    return e != CL_SUCCESS;
}

static cl_program build(const char *path, const char *options)
{
    static char text[1 << 22];
    const char *source = text;
    FILE *f = fopen(path, "r");
    if (!f) {
        snprintf(why, sizeof why, "no such program");
        return NULL;
    }
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    cl_int e;
    cl_program p = clCreateProgramWithSource(ctx, 1, &source, NULL, &e);
    if (is_bad("program", e) || is_bad("build", clBuildProgram(p, 1, &device, options, NULL, NULL)))
        return NULL;
    return p;
}

struct arg {
    cl_mem mem; // or NULL
    size_t size;
};

/** Sets argument i as the line says. */
static int set_arg(cl_kernel k, unsigned i, char *line, struct arg *a)
{
    char *value = strchr(line, ' ') + 1;
    unsigned char *bytes = calloc(1, strlen(value) / 2 + 1);
    cl_int e = CL_SUCCESS;
    *a = (struct arg){0};
    if (!strncmp(line, "value", 5)) {
        e = clSetKernelArg(k, i, unhex(value, bytes), bytes);
    } else if (!strncmp(line, "local", 5)) {
        e = clSetKernelArg(k, i, strtoul(value, NULL, 10), NULL);
    } else {
        const int is_zero = !strncmp(line, "zero", 4), is_fresh = !strncmp(line, "fresh", 5);
        a->size = is_zero || is_fresh ? strtoul(value, NULL, 10) : unhex(value, bytes);
        unsigned char *init = is_zero ? calloc(1, a->size + 1) : bytes;
        const int is_same = !strncmp(line, "same", 4);
        if (is_same) a->size = strtoul(value, NULL, 10);
        if (is_same && kept[i]) clRetainMemObject(kept[i]);
        a->mem = is_same    ? kept[i]
                 : is_fresh ? clCreateBuffer(ctx, CL_MEM_READ_WRITE, a->size, NULL, &e)
                            : clCreateBuffer(ctx, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, a->size,
                                             init, &e);
        if (!e) e = clSetKernelArg(k, i, sizeof a->mem, &a->mem);
        if (is_zero) free(init);
    }
    free(bytes);
    return is_bad("argument", e);
}

static int launch(cl_kernel k, const size_t *range, struct arg *args, unsigned n)
{
    if (is_bad("launch", clEnqueueNDRangeKernel(q, k, 3, range, range + 3,
                                                range[6] ? range + 6 : NULL, 0, NULL, NULL)))
        return 1;
    if (is_bad("launch", clFinish(q))) return 1;
    for (unsigned i = 0; i < n; i++) {
        if (!args[i].mem) continue;
        unsigned char *bytes = malloc(args[i].size);
        if (is_bad("read", clEnqueueReadBuffer(q, args[i].mem, CL_TRUE, 0, args[i].size, bytes, 0,
                                               NULL, NULL)))
            return 1;
        printf("bytes ");
        for (size_t b = 0; b < args[i].size; b++) printf("%02x", bytes[b]);
        printf("\n");
        free(bytes);
    }
    return 0;
}

/** The process may compute for so many seconds more; 0: forever. */
static void allow(rlim_t seconds)
{
    struct rusage r;
    struct rlimit limit;
    if (!seconds || getrusage(RUSAGE_SELF, &r) || getrlimit(RLIMIT_CPU, &limit)) return;
    limit.rlim_cur = (rlim_t)(r.ru_utime.tv_sec + r.ru_stime.tv_sec) + 1 + seconds;
    setrlimit(RLIMIT_CPU, &limit);
}

int main(int argc, char **argv)
{
    const rlim_t seconds = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    cl_platform_id platform;
    cl_int e = CL_SUCCESS;
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        return fprintf(stderr, "no device\n"), 1;
    char name[256];
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name, name, NULL);
    ctx = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    if (!e) q = clCreateCommandQueue(ctx, device, 0, &e);
    if (e) return fprintf(stderr, "no queue: %d\n", e), 1;
    printf("platform %s\n", name);

    cl_program p = NULL;
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        allow(seconds);
        line[strcspn(line, "\n")] = 0;
        char *options = strchr(line, ' ') ? strchr(strchr(line, ' ') + 1, ' ') : NULL;
        if (!strncmp(line, "program ", 8)) {
            if (options) *options++ = 0;
            if (p) clReleaseProgram(p);
            p = build(line + 8, options ? options : "");
            continue;
        }
        char kernel[128];
        size_t r[9];
        unsigned nargs = 0;
        sscanf(line, "launch %127s %zu %zu %zu %zu %zu %zu %zu %zu %zu %u", kernel, &r[0], &r[1],
               &r[2], &r[3], &r[4], &r[5], &r[6], &r[7], &r[8], &nargs);
        struct arg args[MAX_ARGS] = {0};
        cl_kernel k = p ? clCreateKernel(p, kernel, &e) : NULL;
        int bad = !p || is_bad("kernel", e);
        for (unsigned i = 0; i < nargs && i < MAX_ARGS; i++) {
            if (getline(&line, &room, stdin) <= 0) return 1;
            bad = bad || set_arg(k, i, line, &args[i]);
        }
        if (!bad) printf("result %s\n", kernel);
        if (bad || launch(k, r, args, nargs)) printf("failed %s %s\n", kernel, why);
        fflush(stdout);
        for (unsigned i = 0; i < nargs && i < MAX_ARGS; i++)
            if (args[i].mem) {
                if (kept[i]) clReleaseMemObject(kept[i]);
                kept[i] = args[i].mem;
            }
        if (k) clReleaseKernel(k);
    }
    for (unsigned i = 0; i < MAX_ARGS; i++)
        if (kept[i]) clReleaseMemObject(kept[i]);
    free(line);
    return 0;
}
