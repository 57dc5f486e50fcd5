// SPDX-License-Identifier: MIT
// Every allocation of the driver refused in turn: a call may fail with a code, or the process may end with
// the line "cldbg: out of memory" (base/mem.h says which is which); it must not crash otherwise, nor hang.
//
// usage: refused [STEP]    every STEP-th allocation (default 1); prints how often what came of it
#include "api/dispatch.h"

#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void *__libc_malloc(size_t n);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t n);
void *__libc_memalign(size_t align, size_t n);

static uintptr_t text_start, text_end; // of libcldbg.so
static unsigned long long refuse_at, seen; // counted in calls from there; 0: none
static int counts;

static int is_refused(const void *from)
{
    if (!counts || (uintptr_t)from < text_start || (uintptr_t)from >= text_end) return 0;
    return __atomic_add_fetch(&seen, 1, __ATOMIC_RELAXED) == refuse_at;
}
#define FROM __builtin_return_address(0)
#pragma GCC visibility push(default)
void *malloc(size_t n) { return is_refused(FROM) ? NULL : __libc_malloc(n); }
void *calloc(size_t n, size_t size) { return is_refused(FROM) ? NULL : __libc_calloc(n, size); }
void *realloc(void *p, size_t n) { return is_refused(FROM) ? NULL : __libc_realloc(p, n); }
int posix_memalign(void **p, size_t align, size_t n)
{
    if (is_refused(FROM) || !(*p = __libc_memalign(align, n))) return 12;
    return 0;
}

#pragma GCC visibility pop

static int find_text(struct dl_phdr_info *info, size_t size, void *unused)
{
    if (!strstr(info->dlpi_name, "libcldbg")) return 0;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *h = &info->dlpi_phdr[i];
        if (h->p_type != PT_LOAD || !(h->p_flags & PF_X)) continue;
        text_start = info->dlpi_addr + h->p_vaddr;
        text_end = text_start + h->p_memsz;
    }
    return 1;
}

static const char source[] =
    "kernel void k(global int *out, local int *t, int n, read_only image2d_t image) {\n"
    "    int a[8]; local int x[16]; for (int i = 0; i < 8; i++) a[i] = i * n;\n"
    "    x[get_local_id(0)] = a[get_local_id(0) & 7]; t[get_local_id(0)] = 3; barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    const sampler_t s = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
    "    out[get_global_id(0)] = x[15 - get_local_id(0)] + t[3] + (int)read_imagef(image, s, (int2)(0, 0)).x;\n"
    "    if (get_global_id(0) == 5) out[1000] = 1; out[get_global_id(0) / 2] = 7; printf(\"%d\\n\", n); }\n";

/** What an app does; 0, or the first code that is not. */
static cl_int scenario(void)
{
    const struct _cl_icd_dispatch *cl = cldbg_dispatch();
    cl_platform_id platform;
    cl_device_id device;
    cl_int e = 0, first = 0;
#define KEEP(x) do { const cl_int code = (x); if (code && !first) first = code; } while (0)
    KEEP(cl->clGetPlatformIDs(1, &platform, NULL));
    if (first) return first;
    KEEP(cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    cl_context context = cl->clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    KEEP(e);
    if (!context) return first;
    cl_command_queue queue = cl->clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &e);
    KEEP(e);
    const char *text = source;
    cl_program program = cl->clCreateProgramWithSource(context, 1, &text, NULL, &e);
    KEEP(e);
    if (program) KEEP(cl->clBuildProgram(program, 1, &device, "-w", NULL, NULL));
    cl_kernel kernel = program ? cl->clCreateKernel(program, "k", &e) : NULL;
    KEEP(e);
    cl_mem buffer = cl->clCreateBuffer(context, CL_MEM_READ_WRITE, 64 * 4, NULL, &e);
    KEEP(e);
    const cl_image_format format = {CL_RGBA, CL_FLOAT};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    cl_mem image = cl->clCreateImage(context, CL_MEM_READ_ONLY, &format, &desc, NULL, &e);
    KEEP(e);
    int data[64] = {0}, n = 3;
    const size_t global = 64, local = 16;
    if (queue && kernel && buffer && image) {
        cl_event event = NULL;
        KEEP(cl->clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL));
        KEEP(cl->clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
        KEEP(cl->clSetKernelArg(kernel, 1, 64, NULL));
        KEEP(cl->clSetKernelArg(kernel, 2, sizeof n, &n));
        KEEP(cl->clSetKernelArg(kernel, 3, sizeof image, &image));
        KEEP(cl->clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, &event));
        void *p = event ? cl->clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, sizeof data, 1, &event, NULL, &e) : NULL;
        KEEP(e);
        if (p) KEEP(cl->clEnqueueUnmapMemObject(queue, buffer, p, 0, NULL, NULL));
        if (event) cl->clReleaseEvent(event);
        KEEP(cl->clFinish(queue));
    }
    if (image) cl->clReleaseMemObject(image);
    if (buffer) cl->clReleaseMemObject(buffer);
    if (kernel) cl->clReleaseKernel(kernel);
    if (program) cl->clReleaseProgram(program);
    if (queue) cl->clReleaseCommandQueue(queue);
    cl->clReleaseContext(context);
    return first;
}

enum { FINE, CODE, OUT_OF_MEMORY, OUTCOMES };

/** The scenario in a process of its own; its outcome, or exits with words. */
static int attempt(unsigned long long at, unsigned long long *allocations)
{
    int pipes[2], status;
    if (pipe(pipes)) exit(2);
    const pid_t child = fork();
    if (!child) {
        dup2(pipes[1], 2);
        if (!freopen("/dev/null", "w", stdout)) _exit(9);
        alarm(60);
        refuse_at = at;
        counts = 1;
        const cl_int e = scenario();
        counts = 0;
        dprintf(2, "\n#%llu\n", seen);
        exit(e ? 1 : 0); // with what the driver does at the end
    }
    close(pipes[1]);
    static char text[1 << 20];
    size_t n = 0;
    for (ssize_t got; n < sizeof text - 1 && (got = read(pipes[0], text + n, sizeof text - 1 - n)) > 0;) n += (size_t)got;
    text[n] = 0;
    close(pipes[0]);
    waitpid(child, &status, 0);
    const char *count = strrchr(text, '#');
    if (allocations && count) *allocations = strtoull(count + 1, NULL, 10);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT && strstr(text, "cldbg: out of memory (")) return OUT_OF_MEMORY;
    if (WIFEXITED(status) && WEXITSTATUS(status) < 2) return WEXITSTATUS(status);
    printf("allocation %llu refused: %s %d\n%.1500s\n", at, WIFSIGNALED(status) ? "signal" : "status",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), text);
    exit(1);
}

int main(int argc, char **argv)
{
    const unsigned long long step = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    unsigned long long all = 0, outcomes[OUTCOMES] = {0};
    setvbuf(stdout, NULL, _IOLBF, 0);
    dl_iterate_phdr(find_text, NULL);
    attempt(0, NULL); // the program is in the cache from here on
    if (attempt(0, &all) != FINE || !all || !text_start) return printf("the driver's allocations are not seen\n"), 1;
    for (unsigned long long at = 1; at <= all; at += step) outcomes[attempt(at, NULL)]++;
    printf("%llu allocations, every %llu. refused: %llu without effect, %llu calls failed, %llu ends for want of memory\n", all, step,
           outcomes[FINE], outcomes[CODE], outcomes[OUT_OF_MEMORY]);
    return 0;
}
