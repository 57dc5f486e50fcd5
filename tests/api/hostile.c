// SPDX-License-Identifier: MIT
// Kernels that try to reach what they were not given, or never to end. Every buffer lies in memory of the app's, with a
// page before it and one after it that nobody may touch, and canaries between; a secret of the host stands elsewhere, and kernels are
// told its address. What each does is for the report to say; here it is only seen that the host's memory is as it was.
//
// usage: hostile [KERNEL...]     prints "KERNEL status" for each; hostile.py knows what the report must have.
#include <CL/cl.h>

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { ITEMS = 64, GROUP = 16, BYTES = 4 * ITEMS, CANARY = 0x5a };
static const uint64_t SECRET = 0x5ec2e75ec2e75ec2ull;

static const char source[] =
    // pointers from numbers
    "kernel void forged_host_read(global ulong *out, ulong host) { out[get_global_id(0) / 2] = *(global ulong *)host; }\n"
    "kernel void forged_host_write(global ulong *out, ulong host) { *(global ulong *)host = 1; }\n"
    "kernel void forged_host_atomic(global ulong *out, ulong host) { atomic_inc((global int *)host); }\n"
    "kernel void forged_host_vector(global ulong *out, ulong host) { vstore16((int16)7, 0, (global int *)host); }\n"
    "kernel void forged_host_local(global ulong *out, ulong host) { *(local int *)host = 3; }\n"
    "kernel void forged_host_private(global ulong *out, ulong host) { int *p = (int *)host; *p = 3; out[0] = *p; }\n"
    "kernel void forged_host_constant(global ulong *out, ulong host) { out[0] = *(constant ulong *)host; }\n"
    "kernel void forged_tag(global ulong *out, ulong host) { for (ulong t = 1; t < 64; t++)\n"
    "    *(global int *)((ulong)out ^ t << (40 + t % 24)) = 1; }\n"
    "kernel void forged_from_bytes(global ulong *out, ulong host) { union { ulong n; global ulong *p; } u; u.n = host; *u.p = 5; }\n"
    "kernel void forged_through_memory(global ulong *out, ulong host) { global ulong *private a[2]; ((private ulong *)a)[1] = host;\n"
    "    *a[1] = get_global_id(0); }\n"
    "kernel void forged_struct(global ulong *out, ulong host) { struct { global int *p[3]; } s, t; ((private ulong *)&s)[2] = host; t = s;\n"
    "    for (int i = 2; i < 3; i++) t.p[i][get_global_id(0)] = 9; }\n"
    // numbers that are too large
    "kernel void huge_index(global ulong *out, ulong host) { ((global char *)out)[0x7fffffffffffL + get_global_id(0)] = 1; }\n"
    "kernel void huge_negative_index(global ulong *out, ulong host) { ((global char *)out)[-0x7fffffffffffL] = 1; }\n"
    "kernel void wrapping_offset(global ulong *out, ulong host) { out[0x2000000000000000UL + 64 + get_global_id(0)] = 1; }\n"
    "kernel void wrapping_walk(global ulong *out, ulong host) { global char *p = (global char *)out;\n"
    "    for (int i = 0; i < 70; i++) p += 0x7fffffffffffffffL; *p = 1; p[128] = 1; p[4096] = 2; }\n"
    "kernel void just_behind(global ulong *out, ulong host) { ((global char *)out)[256] = 1; }\n"
    "kernel void just_before(global ulong *out, ulong host) { ((global char *)out)[-1] = 1; }\n"
    "kernel void across_the_end(global ulong *out, ulong host) { vstore4((float4)1, 0, (global float *)out + 61); }\n"
    "kernel void difference_to_host(global ulong *out, ulong host) { long d = (long)host - (long)out; ((global char *)out)[d] = 1; }\n"
    "kernel void private_index(global ulong *out, ulong host) { int a[4]; a[0] = 0; a[(int)host | 64] = 7; a[-99999] = 3;\n"
    "    out[0] = a[1 << 28]; }\n"
    "kernel void local_index(global ulong *out, ulong host) { local int t[16]; t[get_local_id(0) + 1000000] = 7; t[-5] = 1;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE); out[0] = t[1 << 29]; }\n"
    "kernel void constant_index(global ulong *out, ulong host) { constant char *s = \"abc\"; out[0] = s[(int)(host & 0xfffff) + 64]; }\n"
    "kernel void async_outside(global ulong *out, ulong host) { local ulong t[16];\n"
    "    event_t e = async_work_group_copy(t, (const global ulong *)host, 16, 0); wait_group_events(1, &e);\n"
    "    e = async_work_group_copy(out + 1000, t, 16, 0); wait_group_events(1, &e);\n"
    "    e = async_work_group_strided_copy(out, t, 16, 0x1000000000000000UL, 0); wait_group_events(1, &e); }\n"
    "kernel void memcpy_outside(global ulong *out, ulong host) { struct s { ulong a[40]; } s = {{1}}; *(global struct s *)out = s; }\n"
    "kernel void shuffle_index(global ulong *out, ulong host) { uint4 v = shuffle((uint4)(1,2,3,4), (uint4)((uint)host, 99, ~0u, 7)); ((global uint4 *)out)[get_global_id(0) + 4096 * v.x] = v; }\n"
    "kernel void vector_component(global ulong *out, ulong host) { int4 v = 0; ((private int *)&v)[(int)(host | 16)] = 1; out[0] = v.x; }\n"
    // kept pointers
    "kernel void keep_private(global ulong *out, ulong host) { int x = 3; out[get_global_id(0) / 2] = (ulong)&x; }\n"
    "kernel void use_private(global ulong *out, ulong host) { *(private int *)out[get_global_id(0) / 2] = 4; }\n"
    "kernel void keep_local(global ulong *out, ulong host) { local int t[16]; t[get_local_id(0)] = 1; if (get_local_id(0) == 0) out[get_group_id(0)] = (ulong)t; }\n"
    "kernel void use_local(global ulong *out, ulong host) { ((local int *)out[0])[get_local_id(0) + 64] = 7; }\n"
    // no end
    "kernel void endless(global ulong *out, ulong host) { volatile int x = 0; while (1) x++; }\n"
    "kernel void endless_barriers(global ulong *out, ulong host) { while (1) barrier(CLK_LOCAL_MEM_FENCE); }\n"
    "kernel void endless_some(global ulong *out, ulong host) { if (get_global_id(0) == 33) for (volatile int x = 0; ; x++); }\n"
    "kernel void endless_memory(global ulong *out, ulong host) { for (ulong i = 0; ; i++) ((global volatile ulong *)out)[i] = i; }\n"
    "kernel void endless_atomics(global ulong *out, ulong host) { while (atomic_add((global int *)out, 1) != -77) ; }\n"
    "kernel void spin(global ulong *out, ulong host) { while (atomic_or((global int *)out + 1, 0) == 0) ; }\n"
    // much
    "kernel void giant_private(global ulong *out, ulong host) { volatile char a[1 << 30]; a[get_global_id(0)] = 1; out[0] = a[(1 << 29) & (int)host] != 0; }\n"
    "kernel void giant_local(global ulong *out, ulong host) { local int a[40000000]; a[get_local_id(0)] = 1; out[0] = a[0]; }\n"
    "kernel void printf_flood(global ulong *out, ulong host) { for (int i = 0; i < 300; i++) printf(\"%d %s %f flood\\n\", i, \"text\", 1.0f); }\n"
    "kernel void printf_wild(global ulong *out, ulong host) { printf(\"%s\\n\", (constant char *)host); printf(\"%n\\n\", (private int *)host); printf(\"%9999999d\\n\", 1); printf(\"%.999999999f|%v4hld\\n\", 1.0f, 5); }\n"
    "kernel void barrier_storm(global ulong *out, ulong host) { for (int i = 0; i < (int)get_local_id(0) * 1000; i++) barrier(CLK_LOCAL_MEM_FENCE); }\n"
    "kernel void call_null(global ulong *out, ulong host) { global int *p = 0; *p = 1; out[0] = *p; }\n"
    "kernel void divide(global ulong *out, ulong host) { int z = (int)(host - host); out[0] = (int)0x80000000 / (z - 1) + 5 / z + 5 % z; }\n"
    "kernel void honest(global ulong *out, ulong host) { out[get_global_id(0) / 2] = 3; }\n";

static const char more[] =
    // offsets whose bytes wrap around
    "kernel void wrapping_vload(global ulong *out, ulong host) { float4 v = vload4(0x1000000000000000UL - 4, (global float *)out); out[0] = v.x > 1; }\n"
    "kernel void wrapping_vstore(global ulong *out, ulong host) { vstore16((int16)7, 0x0400000000000000UL - 1, (global int *)out);\n"
    "    vstore3((int3)7, ~0UL / 12 + 1, (global int *)out); vstore_half4((float4)1, 0x2000000000000000UL - 1, (global half *)out);\n"
    "    vstore4((int4)7, -1L, (global int *)out); }\n"
    "kernel void wrapping_local(global ulong *out, ulong host) { local int t[16]; vstore8((int8)7, 0x0800000000000000UL - 1, t); barrier(CLK_LOCAL_MEM_FENCE); out[0] = t[0]; }\n"
    // whole blocks
    "kernel void memcpy_half_of_it_all(global ulong *out, ulong host) { int a[4]; __builtin_memcpy((void *)a, (void *)&host, 1UL << 63); out[0] = a[0]; }\n"
    "kernel void forged_host_memcpy(global ulong *out, ulong host) { ulong a[4]; __builtin_memcpy((void *)a, (void *)host, 32); out[0] = a[0]; *(private char *)host = 1; }\n"
    "kernel void memcpy_set(global ulong *out, ulong host) { int a[4]; __builtin_memset((void *)a, 7, host | 1UL << 63); out[0] = a[0]; }\n"
    "kernel void memcpy_overlap(global ulong *out, ulong host) { char a[64]; for (int i = 0; i < 64; i++) a[i] = i; __builtin_memmove((void *)(a + 60), (void *)a, 64); out[0] = a[0]; }\n"
    "kernel void across_struct(global ulong *out, ulong host) { struct s { int n[30]; } s = *((global struct s *)(out + 31)); *((global struct s *)((global char *)out - 4)) = s; }\n"
    "kernel void async_counts(global ulong *out, ulong host) { local ulong t[16]; event_t e = async_work_group_copy(t, out, 1UL << 61, 0);\n"
    "    wait_group_events(1, &e); e = async_work_group_copy(out, t, ~0UL, 0); wait_group_events(1, &e); }\n"
    "kernel void async_strides(global ulong *out, ulong host) { local ulong t[16]; event_t e = async_work_group_strided_copy(t, out, 16, ~0UL, 0);\n"
    "    wait_group_events(1, &e); e = async_work_group_strided_copy(out, t, 16, 1UL << 60, 0); wait_group_events(1000000000, &e); }\n"
    // what C leaves open
    "kernel void divide_least(global ulong *out, ulong host) { int z = (int)(host - host); long m = (long)(1UL << 63) + z;\n"
    "    out[0] = (ulong)(m / (z - 1)) + (ulong)(m % (z - 1)); char c = (char)(-128 + z); out[1] = c / (char)(z - 1); }\n"
    "kernel void shift_far(global ulong *out, ulong host) { int z = (int)(host - host); out[0] = (1 << (z + 40)) + (1UL << (z + 64)) + ((uchar)7 >> (z + 33)) + (1 << (z - 1)); }\n"
    "kernel void convert_wild(global ulong *out, ulong host) { float z = (float)(host - host); out[0] = (ulong)(int)(z + 1e30f) + (ulong)(z - 1.0f) + (uchar)(z + INFINITY) + (long)(z / z); }\n"
    "kernel void undefined_switch(global ulong *out, ulong host) { int x; switch (x) { case 1: out[0] = 1; break; case 7: out[0] = 2; break; default: out[1] = 3; } }\n"
    "kernel void undefined_index(global ulong *out, ulong host) { int x, a[3]; a[x] = 3; out[x] = 1; for (int i = x; i < 4; i++) out[i] = a[i]; }\n"
    "kernel void unreachable(global ulong *out, ulong host) { if (get_global_id(0) == 3) __builtin_unreachable(); out[get_global_id(0) / 2] = 1; }\n"
    "kernel void huge_range(global ulong *out, ulong host) { out[get_global_id(0) & 31] = get_global_id(0); }\n"
    // a deep stack of large frames, and many pieces of local memory
    "int f1(int n) { volatile char a[60000]; a[n & 1023] = n; return a[n & 511]; } int f2(int n) { volatile char a[60000]; a[n & 1023] = f1(n); return a[n & 511] + f1(n + 1); }\n"
    "int f3(int n) { volatile char a[60000]; a[n & 1023] = f2(n); return a[n & 511] + f2(n + 1); }\n"
    "kernel void many_frames(global ulong *out, ulong host) { out[get_global_id(0) / 2] = f3((int)host); }\n";

// These must not become programs.
static const char *const refused[] = {
    ("int deep(int n) { volatile int a[64]; a[n & 63] = n; return n > 0 ? deep(n + 1) + a[n & 63] : 0; }\n"
     "kernel void recursive(global ulong *out, ulong host) { out[0] = deep(1); }\n"),
    "int b(int n); int a(int n) { return n > 0 ? b(n - 1) : 0; } int b(int n) { return a(n) + 1; } kernel void mutual(global ulong *out) { out[0] = a(3); }\n",
    "kernel void assembler(global ulong *out) { __asm__ volatile(\"mov $0, %%rax\" ::: \"memory\"); out[0] = 1; }\n",
    "kernel void variable(global ulong *out) { int n = (int)out[0], a[n]; a[1000] = 3; out[0] = a[1]; }\n",
    "int one(int x) { return x; } kernel void pointer(global ulong *out) { int (*f)(int) = one; out[0] = f(3); }\n",
    "kernel void forged(global ulong *out, ulong host) { int (*f)(int) = (int (*)(int))host; out[0] = f(3); }\n",
    "kernel void trap(global ulong *out) { if (out[0]) __builtin_trap(); }\n",
};
// What it includes and where it says that it stands has no end: that must not be read to it.
static const char endless_file[] =
    "#include \"/dev/zero\"\n"
    "#line 3 \"/dev/zero\"\n"
    "kernel void lines_without_end(global ulong *out, ulong host) { if (get_local_id(0) == (host & 7)) barrier(CLK_LOCAL_MEM_FENCE); out[33] = 1; }\n";

static const char images[] =
    "constant sampler_t at = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;\n"
    "constant sampler_t wild = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;\n"
    "kernel void image_write(write_only image2d_t w, read_only image2d_t r) {\n"
    "    write_imagef(w, (int2)(0x7fffffff, -1), (float4)1); write_imagef(w, (int2)(1 << 30, 1 << 30), (float4)1);\n"
    "    write_imagef(w, (int2)(-2147483647 - 1, 5), (float4)1); write_imagef(w, (int2)(8, 0), (float4)1); }\n"
    "kernel void image_read(write_only image2d_t w, read_only image2d_t r) {\n"
    "    float4 s = read_imagef(r, at, (int2)(0x7fffffff, 0x7fffffff)) + read_imagef(r, at, (int2)(-2147483647 - 1, -1));\n"
    "    s += read_imagef(r, wild, (float2)(INFINITY, NAN)) + read_imagef(r, wild, (float2)(1e38f, -1e38f));\n"
    "    write_imagef(w, (int2)(get_global_id(0) & 7, 0), s); }\n";

static cl_context context;
static cl_command_queue queue;
static cl_device_id device;

static uint8_t *guarded(void)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    uint8_t *p = mmap(NULL, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (p == MAP_FAILED || mprotect(p, page, PROT_NONE) || mprotect(p + 2 * page, page, PROT_NONE)) exit(2);
    memset(p + page, CANARY, page);
    return p + page;
}

static const char *canaries(const uint8_t *page, const uint8_t *buffer)
{
    const size_t size = (size_t)sysconf(_SC_PAGESIZE);
    for (const uint8_t *p = page; p < page + size; p++)
        if ((p < buffer || p >= buffer + BYTES) && *p != CANARY) return "memory around the buffer was written";
    return NULL;
}

/** NULL: refused. */
static cl_program build(const char *text)
{
    cl_int e;
    cl_program p = clCreateProgramWithSource(context, 1, &text, NULL, &e);
    if (e || clBuildProgram(p, 1, &device, "-w", NULL, NULL)) {
        char log[4000] = "";
        clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fprintf(stderr, "%s\n", log);
        return NULL;
    }
    return p;
}

static const char *launch(cl_kernel k, int *status)
{
    char name[64];
    clGetKernelInfo(k, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    const int is_huge = !strcmp(name, "huge_range");
    const size_t global = is_huge ? (size_t)1 << 63 : ITEMS, group = GROUP, more_than_all[3] = {(size_t)1 << 40, 1 << 20, 1 << 20}, last = ~(size_t)0;
    cl_event done;
    if (is_huge && (!clEnqueueNDRangeKernel(queue, k, 3, NULL, more_than_all, NULL, 0, NULL, NULL) || !clEnqueueNDRangeKernel(queue, k, 1, NULL, &last, NULL, 0, NULL, NULL) ||
                    !clEnqueueNDRangeKernel(queue, k, 1, &last, &global, NULL, 0, NULL, NULL) || !clEnqueueNDRangeKernel(queue, k, 4, NULL, more_than_all, NULL, 0, NULL, NULL) ||
                    !clEnqueueNDRangeKernel(queue, k, 0, NULL, &global, NULL, 0, NULL, NULL) || !clEnqueueNDRangeKernel(queue, k, ~0u, NULL, &global, NULL, 0, NULL, NULL)))
        return "a range that cannot be was taken";
    *status = clEnqueueNDRangeKernel(queue, k, 1, NULL, &global, &group, 0, NULL, &done);
    if (!*status) {
        clWaitForEvents(1, &done);
        clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof *status, status, NULL);
        if (*status > 0) return "it did not end";
        clReleaseEvent(done);
    }
    return NULL;
}

/** With the buffer at one end of its page, then at the other. */
static int on_buffers(cl_program p, const char *name, cl_mem *kept)
{
    const size_t page = (size_t)sysconf(_SC_PAGESIZE);
    int bad = 0, status = 0;
    for (int end = 0; end < 2; end++) {
        uint8_t *mem = guarded(), *secret = guarded(), *at = mem + (end ? page - BYTES : 0);
        uint64_t *host = (uint64_t *)(secret + page / 2);
        *host = SECRET;
        memset(at, 0, BYTES);
        cl_int e;
        const cl_ulong address = (cl_ulong)(uintptr_t)host;
        cl_mem m = *kept ? *kept : clCreateBuffer(context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, BYTES, at, &e);
        cl_kernel k = clCreateKernel(p, name, &e);
        if (e || clSetKernelArg(k, 0, sizeof m, &m) || clSetKernelArg(k, 1, sizeof address, &address)) return printf("%s: no kernel\n", name), 1;
        const char *why = launch(k, &status);
        uint64_t words[BYTES / 8];
        if (clEnqueueReadBuffer(queue, m, CL_TRUE, 0, BYTES, words, 0, NULL, NULL)) why = "the buffer cannot be read any more";
        if (!why) why = canaries(mem, at);
        if (!why && *host != SECRET) why = "the host's secret was written";
        for (size_t i = 0; !why && i < BYTES / 8; i++)
            if (words[i] == SECRET || (words[i] ^ words[i] << 16) == (SECRET ^ SECRET << 16)) why = "the host's secret was read";
        for (size_t i = 0; !why && i < page; i++)
            if (secret[i] != CANARY && (i < page / 2 || i >= page / 2 + 8)) why = "memory around the secret was written";
        if (why) printf("%s: %s\n", name, why), bad = 1;
        clReleaseKernel(k);
        if (!strncmp(name, "keep_", 5)) {
            *kept = m; // for the next kernel
            break;
        }
        clReleaseMemObject(m);
        const int again = *kept != NULL;
        *kept = NULL;
        if (again) break;
    }
    if (!bad) printf("%s %d\n", name, status);
    return bad;
}

static int on_images(cl_program p, const char *name)
{
    const cl_image_format format = {CL_RGBA, CL_FLOAT};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 2};
    static float pixels[64];
    cl_int e;
    cl_mem w = clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, NULL, &e);
    cl_mem r = clCreateImage(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &desc, pixels, &e);
    cl_kernel k = clCreateKernel(p, name, &e);
    int status;
    if (e || clSetKernelArg(k, 0, sizeof w, &w) || clSetKernelArg(k, 1, sizeof r, &r)) return printf("%s: no kernel\n", name), 1;
    const char *why = launch(k, &status);
    if (why) return printf("%s: %s\n", name, why), 1;
    printf("%s %d\n", name, status);
    clReleaseKernel(k);
    clReleaseMemObject(w);
    clReleaseMemObject(r);
    return 0;
}

int main(int argc, char **argv)
{
    cl_platform_id platform;
    cl_int e;
    if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL)) return 2;
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    queue = clCreateCommandQueue(context, device, 0, &e);
    int bad = 0;
    for (size_t i = 0; argc < 2 && i < sizeof refused / sizeof *refused; i++)
        if (build(refused[i])) printf("a program that must be refused was built: %s\n", refused[i]), bad = 1;
    cl_mem kept = NULL;
    setvbuf(stdout, NULL, _IOLBF, 0);
    const char *const texts[] = {source, more, endless_file, images};
    for (int t = 0; t < 4; t++) {
        cl_program p = build(texts[t]);
        if (!p) return 2;
        for (const char *at = texts[t]; (at = strstr(at, "kernel void ")); at++) {
            char name[64];
            sscanf(at, "kernel void %63[a-z_]", name);
            int is_wanted = argc < 2;
            for (int i = 1; i < argc; i++) is_wanted |= !strcmp(argv[i], name);
            if (is_wanted) bad |= texts[t] == images ? on_images(p, name) : on_buffers(p, name, &kept);
        }
        clReleaseProgram(p);
    }
    return bad;
}
