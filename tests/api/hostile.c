// SPDX-License-Identifier: MIT
// Launches kernels that try to reach what they were not given, or never to end
// (tests/api/attacks/*.cl). Its arguments follow from its parameters:
//
//   global T *out       a buffer in memory of the app's, with a page before it and one after it
//                       that must not be touched, canaries between
//   global T *fixed     the same, read-only, in a page that the host itself cannot write; also what
//                       is `constant`
//   global T *part      64 bytes of another such buffer, from its byte 128 on: a sub-buffer
//   global T *svm       64 bytes of shared virtual memory
//   local T *           8 bytes
//   ulong               the address of a secret of the host's; other values are 3
//   images, pipes       8 pixels of RGBA float a row, 2 rows, 2 layers, in memory of the app's like
//                       out; a pipe of 4 packets of 4 bytes
//
// What each does is for the report to say; here it is only seen that the host's memory is as it
// was. With `keep_` in its name a kernel leaves its buffer to the next one.
//
// With HOSTILE_COPIES in the environment, `out` is a part of a buffer that is not memory of the
// app's, with a page of canaries before it and after it: such launches can be machine code.
//
// usage: hostile FILE... [-k KERNEL]     prints "KERNEL status" for each; hostile.py knows what the
//                                        report must have.
#include <CL/cl.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    ITEMS = 64,
    GROUP = 16,
    BYTES = 4 * ITEMS,
    CANARY = 0x5a,
    SVM = 64,
    PART_AT = 128,
    PART = 64,
    MOST_GUARDED = 8
};
static const uint64_t SECRET = 0x5ec2e75ec2e75ec2ull;

// These must not become programs.
static const char *const refused[] = {
    ("int deep(int n) { volatile int a[64]; a[n & 63] = n; return n > 0 ? deep(n + 1) + a[n & 63] "
     ": 0; }\n"
     "kernel void recursive(global ulong *out, ulong host) { out[0] = deep(1); }\n"),
    "int b(int n); int a(int n) { return n > 0 ? b(n - 1) : 0; } int b(int n) { return a(n) + 1; } "
    "kernel void mutual(global ulong *out) { out[0] = a(3); }\n",
    "kernel void assembler(global ulong *out) { __asm__ volatile(\"mov $0, %%rax\" ::: "
    "\"memory\"); out[0] = 1; }\n",
    "kernel void variable(global ulong *out) { int n = (int)out[0], a[n]; a[1000] = 3; out[0] = "
    "a[1]; }\n",
    "int one(int x) { return x; } kernel void pointer(global ulong *out) { int (*f)(int) = one; "
    "out[0] = f(3); }\n",
    "kernel void forged(global ulong *out, ulong host) { int (*f)(int) = (int (*)(int))host; "
    "out[0] = f(3); }\n",
    "kernel void spaces(global ulong *out, ulong host) { *(__attribute__((address_space(257))) "
    "volatile int *)host = 1; }\n",
    "kernel void segment(global ulong *out) { out[0] = *(__attribute__((address_space(256))) "
    "volatile int *)0; }\n",
    "kernel void format(global ulong *out) { constant char *f = out[0] ? \"%s\" : \"%d\"; "
    "printf(f, 3); }\n",
    "int system(constant char *); kernel void calls_the_host(global ulong *out) { out[0] = "
    "system(\"true\"); }\n",
    "extern global int environ[]; kernel void extern_data(global ulong *out) { out[0] = "
    "environ[0]; }\n",
    "kernel void frames(global ulong *out) { *(ulong *)__builtin_frame_address(0) = 1; out[0] = "
    "(ulong)__builtin_return_address(0); }\n",
    "kernel void stack(global ulong *out) { char *p = __builtin_alloca(out[0]); p[5] = 1; out[0] = "
    "p[7]; }\n",
    "kernel void jumps(global ulong *out) { void *b[5]; if (__builtin_setjmp(b)) out[0] = 1; "
    "__builtin_longjmp(b, 1); }\n",
    "float4 __attribute__((overloadable)) vload4(int a); kernel void own_vload(global ulong *out) "
    "{ out[0] = (ulong)vload4(3).x; }\n",
    "kernel void goes_anywhere(global ulong *out, ulong host) { void *p = (void *)host; goto *p; "
    "l: out[0] = 1; }\n",
    "kernel void trap(global ulong *out) { if (out[0]) __builtin_trap(); }\n",
};

static cl_context context;
static cl_command_queue queue;
static cl_device_id device;
static size_t page;

static uint8_t *guarded(void)
{
    uint8_t *p = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED || mprotect(p, page, PROT_NONE) || mprotect(p + 2 * page, page, PROT_NONE))
        exit(2);
    memset(p + page, CANARY, page);
    return p + page;
}

/** With the options that a line `// options: …` of the text names. NULL: refused. */
static cl_program build(const char *text)
{
    cl_int e;
    char options[200] = "-w -cl-kernel-arg-info ";
    const char *own = strstr(text, "// options: ");
    if (own) sscanf(own, "// options: %150[^\n]", options + strlen(options));
    cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &e);
    if (e || clBuildProgram(p, 1, &device, options, NULL, NULL)) {
        char log[4000] = "";
        clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fprintf(stderr, "%s\n", log);
        clReleaseProgram(p);
        return NULL;
    }
    return p;
}

// ---- what a kernel is given
static struct {
    struct guard {
        uint8_t *mem, *at;
        size_t size;
    } guards[MOST_GUARDED]; // pages, and what the kernel may reach in them
    unsigned npreconditions;
    bool at_end;    // of its page
    uint64_t *host; // the secret, in the middle of a page
    uint8_t *fixed;
    cl_mem out, given[16]; // out may be the one of the kernel before
    cl_mem whole;          // HOSTILE_COPIES: the buffer that out is a part of
    unsigned ngiven;
    void *svm;
} world;

static bool is(const char *text, const char *begin) { return !strncmp(text, begin, strlen(begin)); }

/**
 * Memory for a buffer, between canaries; of it only `size` bytes from `from` on are the kernel's.
 */
static uint8_t *memory(size_t bytes, size_t from, size_t size)
{
    uint8_t *mem = guarded(), *at = mem + (world.at_end ? page - bytes : 0);
    world.guards[world.npreconditions++] = (struct guard){mem, at + from, size};
    memset(at + from, 0, size);
    return at;
}

static cl_mem image(const char *type)
{
    const cl_image_format format = {CL_RGBA, CL_FLOAT};
    cl_image_desc d = {.image_width = 8,
                       .image_height = 2,
                       .image_depth = 2,
                       .image_array_size = 2,
                       .image_type = CL_MEM_OBJECT_IMAGE2D};
    if (is(type, "image1d_buffer_t"))
        d.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER,
        d.buffer =
            clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 8 * 16, memory(8 * 16, 0, 8 * 16), NULL);
    else if (is(type, "image1d_array_t")) d.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY;
    else if (is(type, "image1d_t")) d.image_type = CL_MEM_OBJECT_IMAGE1D;
    else if (is(type, "image2d_array_t")) d.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY;
    else if (is(type, "image3d_t")) d.image_type = CL_MEM_OBJECT_IMAGE3D;
    const cl_mem_object_type t = d.image_type;
    const size_t rows = t == CL_MEM_OBJECT_IMAGE1D || d.buffer                           ? 1
                        : t == CL_MEM_OBJECT_IMAGE2D || t == CL_MEM_OBJECT_IMAGE1D_ARRAY ? 2
                                                                                         : 4,
                 bytes = 8 * 16 * rows;
    cl_mem m = clCreateImage(context, CL_MEM_READ_WRITE | (d.buffer ? 0 : CL_MEM_USE_HOST_PTR),
                             &format, &d, d.buffer ? NULL : memory(bytes, 0, bytes), NULL);
    if (d.buffer) clReleaseMemObject(d.buffer);
    return m;
}

static cl_int give(cl_kernel k, cl_uint i)
{
    char type[80], name[80];
    cl_kernel_arg_address_qualifier space = 0;
    cl_kernel_arg_type_qualifier more = 0;
    cl_int e =
        clGetKernelArgInfo(k, i, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL) |
        clGetKernelArgInfo(k, i, CL_KERNEL_ARG_NAME, sizeof name, name, NULL) |
        clGetKernelArgInfo(k, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL) |
        clGetKernelArgInfo(k, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof more, &more, NULL);
    const uint64_t address = (uint64_t)(uintptr_t)world.host, number = 3;
    if (e) return e;
    if (space == CL_KERNEL_ARG_ADDRESS_LOCAL) return clSetKernelArg(k, i, 8, NULL);
    if (space == CL_KERNEL_ARG_ADDRESS_PRIVATE && !strcmp(type, "ulong"))
        return clSetKernelArg(k, i, 8, &address);
    if (!strcmp(name, "svm")) return clSetKernelArgSVMPointer(k, i, world.svm);
    if (!strcmp(name, "out")) return clSetKernelArg(k, i, sizeof world.out, &world.out);
    if (space == CL_KERNEL_ARG_ADDRESS_PRIVATE && !(more & CL_KERNEL_ARG_TYPE_PIPE))
        return clSetKernelArg(k, i, 4, &number);
    cl_mem *m = &world.given[world.ngiven++];
    if (!strcmp(name, "part")) {
        cl_mem whole = clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, BYTES,
                                      memory(BYTES, PART_AT, PART), NULL);
        *m = clCreateSubBuffer(whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                               &(cl_buffer_region){PART_AT, PART}, NULL);
        clReleaseMemObject(whole);
    } else if (is(type, "image")) *m = image(type);
    else if (more & CL_KERNEL_ARG_TYPE_PIPE)
        *m = clCreatePipe(context, CL_MEM_READ_WRITE, 4, 4, NULL, NULL);
    else
        *m = clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, BYTES, world.fixed,
                            NULL);
    return clSetKernelArg(k, i, sizeof *m, m);
}

static uint8_t *make_world(bool at_end)
{
    uint8_t *secret = guarded();
    world.at_end = at_end;
    world.npreconditions = 0;
    uint8_t *out = memory(BYTES, 0, BYTES);
    world.host = (uint64_t *)(secret + page / 2);
    *world.host = SECRET;
    world.fixed = guarded() + (at_end ? page - BYTES : 0);
    memset(world.fixed, 0, BYTES);
    mprotect((void *)((uintptr_t)world.fixed & ~(page - 1)), page, PROT_READ);
    world.svm = clSVMAlloc(context, CL_MEM_READ_WRITE, SVM, 0);
    memset(world.svm, 0, SVM);
    return out;
}

/** A part of a buffer that is filled with canaries. */
static cl_mem part_of_copy(void)
{
    uint8_t *all = malloc(3 * page);
    memset(all, CANARY, 3 * page);
    memset(all + page, 0, BYTES);
    world.whole =
        clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, 3 * page, all, NULL);
    free(all);
    return clCreateSubBuffer(world.whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION,
                             &(cl_buffer_region){page, BYTES}, NULL);
}

static const char *look_at_copy(void)
{
    uint8_t *all = malloc(3 * page);
    bool same = !clEnqueueReadBuffer(queue, world.whole, CL_TRUE, 0, 3 * page, all, 0, NULL, NULL);
    for (size_t i = 0; i < 3 * page; i++)
        same &= (i >= page && i < page + BYTES) || all[i] == CANARY;
    free(all);
    return same ? NULL : "the buffer around a part was written";
}

/** What of the host's was touched. */
static const char *look(void)
{
    for (const struct guard *g = world.guards; g < world.guards + world.npreconditions; g++)
        for (const uint8_t *p = g->mem; p < g->mem + page; p++)
            if ((p < g->at || p >= g->at + g->size) && *p != CANARY)
                return "memory around a buffer was written";
    if (*world.host != SECRET) return "the host's secret was written";
    const uint8_t *p = (uint8_t *)world.host - page / 2;
    for (size_t i = 0; i < page; i++)
        if (p[i] != CANARY && (i < page / 2 || i >= page / 2 + 8))
            return "memory around the secret was written";
    uint64_t words[BYTES / 8];
    if (clEnqueueReadBuffer(queue, world.out, CL_TRUE, 0, BYTES, words, 0, NULL, NULL))
        return "the buffer cannot be read any more";
    for (size_t i = 0; i < BYTES / 8; i++)
        if (words[i] == SECRET || (words[i] ^ words[i] << 16) == (SECRET ^ SECRET << 16))
            return "the host's secret was read";
    return world.whole ? look_at_copy() : NULL;
}

// ---- launches
static const char *launch(cl_kernel k, const char *name, int *status)
{
    const bool is_huge = !strcmp(name, "huge_range");
    const size_t global = is_huge ? (size_t)1 << 63 : ITEMS, group = GROUP,
                 more_than_all[3] = {(size_t)1 << 40, 1 << 20, 1 << 20}, last = ~(size_t)0;
    cl_event done;
    if (is_huge &&
        (!clEnqueueNDRangeKernel(queue, k, 3, NULL, more_than_all, NULL, 0, NULL, NULL) ||
         !clEnqueueNDRangeKernel(queue, k, 1, NULL, &last, NULL, 0, NULL, NULL) ||
         !clEnqueueNDRangeKernel(queue, k, 1, &last, &global, NULL, 0, NULL, NULL) ||
         !clEnqueueNDRangeKernel(queue, k, 4, NULL, more_than_all, NULL, 0, NULL, NULL) ||
         !clEnqueueNDRangeKernel(queue, k, 0, NULL, &global, NULL, 0, NULL, NULL) ||
         !clEnqueueNDRangeKernel(queue, k, ~0u, NULL, &global, NULL, 0, NULL, NULL)))
        return "a range that cannot be was taken";
    const char *times = getenv("HOSTILE_LAUNCHES"); // later ones may be machine code
    for (int n = times ? atoi(times) : 1; n-- > 0;) {
        *status = clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &group, 0, NULL, &done);
        if (*status) return NULL;
        clWaitForEvents(1, &done);
        clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof *status, status, NULL);
        if (*status > 0) return "it did not end";
        clReleaseEvent(done);
    }
    return NULL;
}

/** With the buffers at the beginning of their pages, then at the end. */
static int run(cl_kernel k, const char *name)
{
    static cl_mem kept;
    cl_uint nargs = 0;
    int status = 0;
    clGetKernelInfo(k, CL_KERNEL_NUM_ARGS, sizeof nargs, &nargs, NULL);
    for (int end = 0; end < 2; end++) {
        uint8_t *at = make_world(end);
        const bool again = kept != NULL, keeps = is(name, "keep_");
        world.out =
            kept ? kept
            : getenv("HOSTILE_COPIES")
                ? part_of_copy()
                : clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, BYTES, at, NULL);
        kept = keeps ? world.out : NULL;
        cl_int e = 0;
        world.ngiven = 0;
        for (cl_uint i = 0; i < nargs && !e; i++) e = give(k, i);
        if (e) return printf("%s: an argument was refused (%d)\n", name, e), 1;
        const char *why = launch(k, name, &status);
        if (!why) why = look();
        if (why) return printf("%s: %s\n", name, why), 1;
        for (unsigned i = 0; i < world.ngiven; i++) clReleaseMemObject(world.given[i]);
        clSVMFree(context, world.svm);
        if (!keeps) clReleaseMemObject(world.out);
        if (world.whole) clReleaseMemObject(world.whole);
        world.whole = NULL;
        if (again || keeps) break;
    }
    printf("\n%s %d\n", name, status); // (after what the kernel printed)
    return 0;
}

static int run_file(const char *path, const char *only)
{
    static char text[1 << 20];
    FILE *f = fopen(path, "r");
    if (!f) return perror(path), 2;
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    cl_program p = build(text);
    if (!p) return printf("%s was not built\n", path), 1;
    int bad = 0;
    for (const char *at = text; (at = strstr(at, "\nkernel void ")); at++) {
        char name[64];
        sscanf(at, "\nkernel void %63[a-z0-9_]", name);
        if (only && strcmp(only, name)) continue;
        cl_int e;
        cl_kernel k = clCreateKernel(p, name, &e);
        if (!k) printf("%s: no kernel (%d)\n", name, e), bad = 1;
        else bad |= run(k, name), clReleaseKernel(k);
    }
    clReleaseProgram(p);
    return bad;
}

int main(int argc, char **argv)
{
    cl_platform_id platform;
    cl_int e;
    if (clGetPlatformIDs(1, &platform, NULL) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        return 2;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    queue = clCreateCommandQueue(context, device, 0, &e);
    page = (size_t)sysconf(_SC_PAGESIZE);
    setvbuf(stdout, NULL, _IOLBF, 0);
    const char *only = argc > 2 && !strcmp(argv[argc - 2], "-k") ? argv[argc - 1] : NULL;
    int bad = 0;
    for (size_t i = 0; !only && i < sizeof refused / sizeof *refused; i++)
        if (build(refused[i]))
            printf("a program that must be refused was built: %s\n", refused[i]), bad = 1;
    for (int i = 1; i < argc - (only ? 2 : 0); i++) bad |= run_file(argv[i], only);
    return bad;
}
