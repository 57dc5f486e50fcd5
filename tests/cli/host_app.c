// SPDX-License-Identifier: MIT
// A small OpenCL program for tests of the command. Built twice: linked with the ICD loader, and
// (LOADS) with nothing, opening the library that its first argument names.
//   host_app [LIBRARY] clean|racy|outside|broken|context|fork|left|cut|thin|apart
//   [crash|kill|abort|_exit|exec|again|closed]
// The last word is what comes after the launch, with all objects still there.
#include <CL/cl.h>

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#ifdef LOADS
static void *library;
#define CL(f) ((__typeof__(&f))dlsym(library, #f))
#else
#define CL(f) f
#endif

enum { N = 64 };

static const char *source_of(const char *mode)
{
    if (!strcmp(mode, "racy")) return "kernel void k(global int *o) { o[0] = get_global_id(0); }\n";
    if (!strcmp(mode, "outside"))
        return "kernel void k(global int *o) { o[get_global_id(0) + 1] = 1; }\n";
    if (!strcmp(mode, "broken")) return "kernel void k(global int *o) { o[0] = nothing_here; }\n";
    if (!strcmp(mode, "cut"))
        return "kernel void k(global int *o) { for (long i = 0; i < 1l << 40; i++) "
               "o[get_global_id(0)] = i; }\n";
    return "kernel void k(global int *o) { o[get_global_id(0)] = get_global_id(0); }\n";
}

struct launch {
    cl_context context;
    cl_command_queue queue;
    cl_kernel kernel;
};

static cl_int launched(const struct launch *l, cl_mem m, cl_int *out)
{
    cl_int e = CL(clSetKernelArg)(l->kernel, 0, sizeof m, &m);
    if (!e)
        e = CL(clEnqueueNDRangeKernel)(l->queue, l->kernel, 1, NULL, &(size_t){N}, &(size_t){16}, 0,
                                       NULL, NULL);
    return e ? e
             : CL(clEnqueueReadBuffer)(l->queue, m, CL_TRUE, 0, N * sizeof *out, out, 0, NULL,
                                       NULL);
}

/** What was made before fork() is used by both. */
static int both(const struct launch *l, cl_mem m)
{
    cl_int out[N] = {0};
    const pid_t child = fork();
    int status = 0;
    const cl_int e = launched(l, m, out);
    printf("%s: %d, out[5] = %d\n", child ? "parent" : "child", e, out[5]);
    fflush(stdout);
    if (!child) _exit(e != 0);
    waitpid(child, &status, 0);
    return status || e;
}

static int end(const char *how, const struct launch *l, cl_mem m)
{
    if (!strcmp(how, "crash")) raise(SIGSEGV);
    if (!strcmp(how, "kill")) raise(SIGKILL);
    if (!strcmp(how, "abort")) abort();
    if (!strcmp(how, "_exit")) _exit(7);
    if (!strcmp(how, "exec")) execlp("sh", "sh", "-c", "echo another program; exit 8", NULL);
    return strcmp(how, "again") ? 0 : both(l, m);
}

static int work(const char *mode, const char *ending)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int e = CL(clGetPlatformIDs)(1, &platform, NULL);
    if (!e) e = CL(clGetDeviceIDs)(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    if (e) return printf("no device: %d\n", e), 1;
    char name[256], vendor[256];
    CL(clGetPlatformInfo)(platform, CL_PLATFORM_NAME, sizeof name, name, NULL);
    printf("platform %s\n", name);
    CL(clGetDeviceInfo)(device, CL_DEVICE_NAME, sizeof name, name, NULL);
    CL(clGetDeviceInfo)(device, CL_DEVICE_VENDOR, sizeof vendor, vendor, NULL);
    printf("device %s of %s\n", name, vendor);
    cl_context ctx = CL(clCreateContext)(NULL, 1, &device, NULL, NULL, &e);
    if (!strcmp(mode, "context")) return 0;
    cl_command_queue q = CL(clCreateCommandQueue)(ctx, device, 0, &e);
    const char *source = source_of(mode);
    cl_program p = CL(clCreateProgramWithSource)(ctx, 1, &source, NULL, &e);
    e = CL(clBuildProgram)(p, 0, NULL, NULL, NULL, NULL);
    if (e) return printf("build failed: %d\n", e), 2;
    cl_kernel k = CL(clCreateKernel)(p, "k", &e);
    cl_mem m = CL(clCreateBuffer)(ctx, CL_MEM_READ_WRITE, N * sizeof(cl_int), NULL, &e);
    CL(clSetKernelArg)(k, 0, sizeof m, &m);
    e = CL(clEnqueueNDRangeKernel)(q, k, 1, NULL, &(size_t){N}, &(size_t){16}, 0, NULL, NULL);
    if (!strcmp(mode, "left")) return 0; // it was never flushed
    if (!strcmp(mode, "cut")) return CL(clFlush)(q), usleep(200000), 0;
    cl_int out[N];
    if (!e) e = CL(clEnqueueReadBuffer)(q, m, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL);
    if (e) return printf("the launch failed: %d\n", e), 3;
    printf("out[5] = %d\n", out[5]);
    fflush(stdout);
    const int status = end(ending, &(struct launch){ctx, q, k}, m);
    CL(clReleaseMemObject)(m);
    CL(clReleaseKernel)(k);
    CL(clReleaseProgram)(p);
    CL(clReleaseCommandQueue)(q);
    CL(clReleaseContext)(ctx);
    return status;
}

static void *work_outside(void *status) // finds something, which is reported with the app's lines
{
    *(int *)status = work("outside", "");
    return NULL;
}

/** In a thread with less stack than musl gives. */
static int work_thin(void)
{
    int status = 5;
    pthread_t t;
    pthread_attr_t a;
    pthread_attr_init(&a);
    pthread_attr_setstacksize(&a, 64 << 10);
    if (pthread_create(&t, &a, work_outside, &status)) return printf("no thread\n"), 5;
    pthread_join(t, NULL);
    return status;
}

static ucontext_t outer, inner;
static int inner_status;
static void work_inside(void) { inner_status = work("outside", ""); }

/** On a stack of its own making. */
static int work_apart(void)
{
    static char stack[64 << 10];
    if (getcontext(&inner)) return 5;
    inner.uc_stack.ss_sp = stack;
    inner.uc_stack.ss_size = sizeof stack;
    inner.uc_link = &outer;
    makecontext(&inner, work_inside, 0);
    return swapcontext(&outer, &inner) ? 5 : inner_status;
}

int main(int argc, char **argv)
{
#ifdef LOADS
    if (argc < 2 || !(library = dlopen(argv[1], RTLD_NOW))) return printf("%s\n", dlerror()), 4;
    argv++; // [0] is the library now
    argc--;
#endif
    const char *mode = argc > 1 ? argv[1] : "clean";
    if (!strcmp(mode, "thin")) return work_thin();
    if (!strcmp(mode, "apart")) return work_apart();
    const char *ending = argc > 2 ? argv[2] : "";
    if (strcmp(mode, "fork")) {
        int status = work(mode, ending);
#ifdef LOADS
        for (int i = 0; !strcmp(ending, "closed") && i < 20; i++) { // and loaded again
            if (dlclose(library)) return printf("%s\n", dlerror()), 4;
            usleep(1000);
            if (!(library = dlopen(argv[0], RTLD_NOW))) return printf("%s\n", dlerror()), 4;
            status |= work(mode, ending);
        }
#endif
        return status;
    }
    pid_t child = fork(); // a new program does the work: what makes are, and test drivers
    if (!child) {
        execl("/proc/self/exe", argv[0], "clean", NULL);
        _exit(9);
    }
    int status;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}
