// SPDX-License-Identifier: MIT
// Commands that use the same memory, for together.sh: `together CASE`. The cases are named for what
// is wrong with them; those that begin with "clean" have nothing wrong.
#include "api/dispatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct _cl_icd_dispatch *cl;
static cl_context ctx;
static cl_command_queue ordered, other, loose; // two in order, one out of order
static cl_mem buf, out;
static cl_kernel half, counts, tickets, sums, paints, looks, follows;
static cl_mem image; // 16 pixels by 2
static int *shared;  // N of them
static int host[256];
enum { N = 256, BYTES = N * 4 };

static const char *const source =
    "kernel void fills(global int *a, int from, int v) { a[from + get_global_id(0)] = v; }\n"
    "kernel void counts(global int *a) { atomic_inc(a); }\n"
    "kernel void tickets(global int *a, global int *b) { atomic_inc(a); if (get_global_id(0) == 9) "
    "b[1] = b[0]; }\n"
    "kernel void paints(write_only image2d_t a, int from) { write_imageui(a, (int2)(from + "
    "get_global_id(0), 1), 5); }\n"
    "kernel void looks(read_only image2d_t a, global int *out) { out[get_global_id(0)] = "
    "read_imageui(a, (int2)(get_global_id(0), 1)).x; }\n"
    "kernel void follows(global ulong *p, global int *out) { out[get_global_id(0)] = ((global int "
    "*)p[0])[get_global_id(0)]; }\n"
    "kernel void sums(global const int *a, global int *out, int from) { out[get_global_id(0)] = "
    "a[from + get_global_id(0)]; }\n";

static void check(cl_int e, const char *what)
{
    if (!e) return;
    fprintf(stderr, "%s: %d\n", what, e);
    exit(99);
}
#define CHECK(call) check(call, #call)

static cl_command_queue queue(cl_device_id d, cl_command_queue_properties p)
{
    cl_int e;
    cl_command_queue q = cl->clCreateCommandQueue(ctx, d, p, &e);
    check(e, "queue");
    return q;
}

static void set_up(void)
{
    cl_platform_id p;
    cl_device_id d;
    cl_int e;
    cl = cldbg_dispatch();
    CHECK(cl->clGetPlatformIDs(1, &p, NULL));
    CHECK(cl->clGetDeviceIDs(p, CL_DEVICE_TYPE_ALL, 1, &d, NULL));
    ctx = cl->clCreateContext(NULL, 1, &d, NULL, NULL, &e);
    ordered = queue(d, 0);
    other = queue(d, 0);
    loose = queue(d, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    cl_program program = cl->clCreateProgramWithSource(ctx, 1, (const char **)&source, NULL, &e);
    CHECK(cl->clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    half = cl->clCreateKernel(program, "fills", &e);
    counts = cl->clCreateKernel(program, "counts", &e);
    tickets = cl->clCreateKernel(program, "tickets", &e);
    sums = cl->clCreateKernel(program, "sums", &e);
    follows = cl->clCreateKernel(program, "follows", &e);
    paints = cl->clCreateKernel(program, "paints", &e);
    looks = cl->clCreateKernel(program, "looks", &e);
    image = cl->clCreateImage(
        ctx, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &(cl_image_format){CL_R, CL_UNSIGNED_INT32},
        &(cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 2},
        host, &e);
    check(e, "image");
    shared = cl->clSVMAlloc(ctx, CL_MEM_READ_WRITE, BYTES, 0);
    buf = cl->clCreateBuffer(ctx, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, BYTES, host, &e);
    out = cl->clCreateBuffer(ctx, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, BYTES, host, &e);
}

static void run_half(cl_command_queue q, int from, cl_uint n, const cl_event *list, cl_event *event)
{
    const size_t items = N / 2;
    const int v = from + 1;
    CHECK(cl->clSetKernelArg(half, 0, sizeof buf, &buf));
    CHECK(cl->clSetKernelArg(half, 1, sizeof from, &from));
    CHECK(cl->clSetKernelArg(half, 2, sizeof v, &v));
    CHECK(cl->clEnqueueNDRangeKernel(q, half, 1, NULL, &items, NULL, n, list, event));
}

/** Queues of which there is one at a time. */
static cl_command_queue only_queue(void)
{
    static int is_alone;
    cl_device_id d;
    CHECK(cl->clGetCommandQueueInfo(ordered, CL_QUEUE_DEVICE, sizeof d, &d, NULL));
    if (!is_alone) {
        CHECK(cl->clReleaseCommandQueue(other));
        CHECK(cl->clReleaseCommandQueue(loose));
    }
    is_alone = 1;
    CHECK(cl->clReleaseCommandQueue(ordered));
    return other = loose = ordered = queue(d, 0);
}

static void CL_CALLBACK set_flag(void *p) { __atomic_store_n(*(int **)p, 1, __ATOMIC_RELEASE); }

static void run_counts(cl_command_queue q)
{
    const size_t items = N;
    CHECK(cl->clSetKernelArg(counts, 0, sizeof buf, &buf));
    CHECK(cl->clEnqueueNDRangeKernel(q, counts, 1, NULL, &items, NULL, 0, NULL, NULL));
}

static void run_sums(cl_command_queue q, int from)
{
    const size_t items = N / 2;
    CHECK(cl->clSetKernelArg(sums, 0, sizeof buf, &buf));
    CHECK(cl->clSetKernelArg(sums, 1, sizeof out, &out));
    CHECK(cl->clSetKernelArg(sums, 2, sizeof from, &from));
    CHECK(cl->clEnqueueNDRangeKernel(q, sums, 1, NULL, &items, NULL, 0, NULL, NULL));
}

static void run_paints(cl_command_queue q, int from)
{
    const size_t items = 8;
    CHECK(cl->clSetKernelArg(paints, 0, sizeof image, &image));
    CHECK(cl->clSetKernelArg(paints, 1, sizeof from, &from));
    CHECK(cl->clEnqueueNDRangeKernel(q, paints, 1, NULL, &items, NULL, 0, NULL, NULL));
}

static void run_looks(cl_command_queue q)
{
    const size_t items = 8;
    CHECK(cl->clSetKernelArg(looks, 0, sizeof image, &image));
    CHECK(cl->clSetKernelArg(looks, 1, sizeof out, &out));
    CHECK(cl->clEnqueueNDRangeKernel(q, looks, 1, NULL, &items, NULL, 0, NULL, NULL));
}

static void run_shared(cl_command_queue q, const int *p)
{
    const size_t items = N / 2;
    const int zero = 0;
    CHECK(cl->clSetKernelArgSVMPointer(sums, 0, p));
    CHECK(cl->clSetKernelArg(sums, 1, sizeof out, &out));
    CHECK(cl->clSetKernelArg(sums, 2, sizeof zero, &zero));
    CHECK(cl->clEnqueueNDRangeKernel(q, sums, 1, NULL, &items, NULL, 0, NULL, NULL));
}

static void *map_image(cl_map_flags how, size_t width)
{
    size_t pitch;
    cl_int e;
    void *p = cl->clEnqueueMapImage(ordered, image, CL_TRUE, how, (size_t[]){0, 0, 0},
                                    (size_t[]){width, 2, 1}, &pitch, NULL, 0, NULL, NULL, &e);
    check(e, "map");
    return p;
}

static void finish(void)
{
    CHECK(cl->clFinish(ordered));
    CHECK(cl->clFinish(other));
    CHECK(cl->clFinish(loose));
}

static void read_all(cl_command_queue q, cl_bool blocking, cl_uint n, const cl_event *list)
{
    CHECK(cl->clEnqueueReadBuffer(q, buf, blocking, 0, BYTES, host, n, list, NULL));
}

static void *map(cl_command_queue q, cl_map_flags how, size_t offset)
{
    cl_int e;
    void *p = cl->clEnqueueMapBuffer(q, buf, CL_TRUE, how, offset, BYTES / 2, 0, NULL, NULL, &e);
    check(e, "map");
    return p;
}

static void case_of(const char *name)
{
    cl_event a, b;
    cl_int e;
#define IS(s) (!strcmp(name, s))
    if (IS("kernels-in-two-queues")) {
        run_half(ordered, 0, 0, NULL, NULL);
        run_half(other, 64, 0, NULL, NULL);
    } else if (IS("kernels-out-of-order")) {
        run_half(loose, 0, 0, NULL, NULL);
        run_sums(loose, 64);
    } else if (IS("read-out-of-order")) {
        run_half(loose, 0, 0, NULL, NULL);
        read_all(loose, CL_TRUE, 0, NULL);
    } else if (IS("read-in-other-queue")) {
        run_half(ordered, 0, 0, NULL, NULL);
        CHECK(cl->clFlush(ordered));
        read_all(other, CL_TRUE, 0, NULL);
    } else if (IS("writes-out-of-order")) {
        CHECK(cl->clEnqueueWriteBuffer(loose, buf, CL_FALSE, 0, 64, host, 0, NULL, NULL));
        CHECK(cl->clEnqueueFillBuffer(loose, buf, host, 4, 32, 64, 0, NULL, NULL));
    } else if (IS("mapped-for-writing")) {
        void *p = map(ordered, CL_MAP_WRITE, 0);
        run_sums(ordered, 0);
        CHECK(cl->clEnqueueUnmapMemObject(ordered, buf, p, 0, NULL, NULL));
    } else if (IS("mapped-for-reading")) {
        void *p = map(ordered, CL_MAP_READ, 0);
        run_half(ordered, 64, 0, NULL, NULL);
        CHECK(cl->clEnqueueUnmapMemObject(ordered, buf, p, 0, NULL, NULL));
    } else if (IS("unmapped-in-other-queue")) {
        void *p = map(ordered, CL_MAP_WRITE, 0);
        CHECK(cl->clEnqueueUnmapMemObject(ordered, buf, p, 0, NULL, NULL));
        run_sums(other, 0);
    } else if (IS("image-in-two-queues")) {
        run_paints(ordered, 0);
        CHECK(cl->clEnqueueReadImage(other, image, CL_TRUE, (size_t[]){4, 1, 0},
                                     (size_t[]){2, 1, 1}, 0, 0, host, 0, NULL, NULL));
    } else if (IS("image-out-of-order")) {
        run_paints(loose, 0);
        run_looks(loose);
    } else if (IS("image-mapped")) {
        void *p = map_image(CL_MAP_WRITE, 16);
        run_looks(ordered);
        CHECK(cl->clEnqueueUnmapMemObject(ordered, image, p, 0, NULL, NULL));
    } else if (IS("shared-in-two-queues")) {
        CHECK(cl->clEnqueueSVMMemcpy(ordered, CL_FALSE, shared, host, BYTES, 0, NULL, NULL));
        run_shared(other, shared);
    } else if (IS("shared-filled-out-of-order")) {
        run_shared(loose, shared);
        CHECK(cl->clEnqueueSVMMemFill(loose, shared + 100, host, 4, 8, 0, NULL, NULL));
    } else if (IS("shared-mapped")) {
        CHECK(cl->clEnqueueSVMMap(ordered, CL_TRUE, CL_MAP_WRITE, shared, BYTES, 0, NULL, NULL));
        run_shared(ordered, shared);
        CHECK(cl->clEnqueueSVMUnmap(ordered, shared, 0, NULL, NULL));
    } else if (IS("shared-freed")) {
        run_shared(ordered, shared);
        CHECK(cl->clEnqueueSVMFree(other, 1, (void **)&shared, NULL, NULL, 0, NULL, NULL));
    } else if (IS("shared-freed-kept")) { // as a pointer in memory
        CHECK(
            cl->clEnqueueSVMMemFill(ordered, shared, &(int){0}, sizeof(int), BYTES, 0, NULL, NULL));
        CHECK(cl->clEnqueueWriteBuffer(ordered, buf, CL_TRUE, 0, sizeof shared, &shared, 0, NULL,
                                       NULL));
        CHECK(cl->clSetKernelArg(follows, 0, sizeof buf, &buf));
        CHECK(cl->clSetKernelArg(follows, 1, sizeof out, &out));
        CHECK(cl->clEnqueueNDRangeKernel(ordered, follows, 1, NULL, (size_t[]){4}, NULL, 0, NULL,
                                         NULL));
        CHECK(cl->clFinish(ordered));
        cl->clSVMFree(ctx, shared);
        CHECK(cl->clEnqueueNDRangeKernel(ordered, follows, 1, NULL, (size_t[]){4}, NULL, 0, NULL,
                                         NULL));
    } else if (IS("migrated-in-other-queue")) {
        run_half(ordered, 0, 0, NULL, NULL);
        CHECK(cl->clEnqueueMigrateMemObjects(other, 1, &buf, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL,
                                             NULL));
    } else if (IS("migrated-undefined")) {
        run_sums(ordered, 0);
        CHECK(cl->clEnqueueMigrateMemObjects(
            other, 1, &buf, CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED, 0, NULL, NULL));
    } else if (IS("shared-migrated")) {
        CHECK(
            cl->clEnqueueSVMMemFill(ordered, shared, &(int){0}, sizeof(int), BYTES, 0, NULL, NULL));
        CHECK(cl->clEnqueueSVMMigrateMem(other, 1, (const void **)&shared, NULL, 0, 0, NULL, NULL));
    } else if (IS("clean-migrated")) {
        run_half(ordered, 0, 0, NULL, &a);
        CHECK(cl->clEnqueueMigrateMemObjects(other, 1, &buf, 0, 1, &a, &b));
        run_half(loose, 64, 1, &b, NULL);
    } else if (IS("parts-overlap")) {
        const cl_buffer_region low = {0, 512}, high = {256, 512};
        cl_mem all = buf,
               one = cl->clCreateSubBuffer(buf, 0, CL_BUFFER_CREATE_TYPE_REGION, &low, &e);
        buf = one;
        run_half(ordered, 0, 0, NULL, NULL);
        buf = cl->clCreateSubBuffer(all, 0, CL_BUFFER_CREATE_TYPE_REGION, &high, &e);
        run_half(other, 0, 0, NULL, NULL);
    } else if (IS("possible-unmap")) {
        void *p = map(ordered, CL_MAP_READ, 0);
        CHECK(cl->clEnqueueUnmapMemObject(ordered, buf, p, 0, NULL, NULL));
        run_half(other, 0, 0, NULL, NULL);
    } else if (IS("clean-image-halves")) {
        run_paints(loose, 0);
        run_paints(loose, 8);
        CHECK(cl->clEnqueueReadImage(other, image, CL_TRUE, (size_t[]){0, 0, 0},
                                     (size_t[]){16, 1, 1}, 0, 0, host, 0, NULL, NULL));
    } else if (IS("clean-image-part-mapped")) { // the columns that the kernel does not touch
        void *p = map_image(CL_MAP_WRITE, 4);
        run_paints(ordered, 8);
        CHECK(cl->clEnqueueUnmapMemObject(ordered, image, p, 0, NULL, NULL));
        run_looks(ordered);
    } else if (IS("clean-shared")) {
        CHECK(cl->clEnqueueSVMMap(ordered, CL_TRUE, CL_MAP_WRITE, shared, BYTES, 0, NULL, NULL));
        memset(shared, 0, BYTES);
        CHECK(cl->clEnqueueSVMUnmap(ordered, shared, 0, NULL, NULL));
        run_shared(ordered, shared);
        CHECK(cl->clEnqueueSVMMemcpy(ordered, CL_FALSE, shared + 4, host, 64, 0, NULL, NULL));
        CHECK(cl->clEnqueueSVMFree(ordered, 1, (void **)&shared, NULL, NULL, 0, NULL, NULL));
    } else if (IS("clean-shared-fine")) { // such memory is the host's all the time
        int *fine = cl->clSVMAlloc(ctx, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, BYTES, 0);
        CHECK(cl->clEnqueueSVMMap(ordered, CL_TRUE, CL_MAP_WRITE, fine, BYTES, 0, NULL, NULL));
        run_shared(ordered, fine);
        CHECK(cl->clEnqueueSVMUnmap(ordered, fine, 0, NULL, NULL));
    } else if (IS("source-changed")) {
        cl_event gate = cl->clCreateUserEvent(ctx, &e);
        CHECK(cl->clEnqueueWriteBuffer(ordered, buf, CL_FALSE, 0, BYTES, host, 1, &gate, NULL));
        host[7] = 1;
        CHECK(cl->clSetUserEventStatus(gate, CL_COMPLETE));
    } else if (IS("released-argument")) {
        const size_t items = 4;
        const int zero = 0;
        cl_mem gone = cl->clCreateBuffer(ctx, CL_MEM_READ_WRITE, BYTES, NULL, &e);
        CHECK(cl->clSetKernelArg(half, 0, sizeof gone, &gone));
        CHECK(cl->clSetKernelArg(half, 1, sizeof zero, &zero));
        CHECK(cl->clSetKernelArg(half, 2, sizeof zero, &zero));
        CHECK(cl->clReleaseMemObject(gone));
        CHECK(cl->clEnqueueNDRangeKernel(ordered, half, 1, NULL, &items, NULL, 0, NULL, NULL));
    } else if (IS("shared-freed-argument")) {
        int *gone = cl->clSVMAlloc(ctx, CL_MEM_READ_WRITE, BYTES, 0);
        const int nothing = 0;
        CHECK(
            cl->clEnqueueSVMMemFill(ordered, gone, &nothing, sizeof nothing, BYTES, 0, NULL, NULL));
        CHECK(cl->clFinish(ordered));
        CHECK(cl->clSetKernelArgSVMPointer(sums, 0, gone + 8));
        CHECK(cl->clSetKernelArg(sums, 1, sizeof out, &out));
        CHECK(cl->clSetKernelArg(sums, 2, sizeof nothing, &nothing));
        cl->clSVMFree(ctx, gone);
        CHECK(
            cl->clEnqueueNDRangeKernel(ordered, sums, 1, NULL, (size_t[]){4}, NULL, 0, NULL, NULL));
    } else if (IS("shared-freed-behind")) { // enqueued before, but it has to wait
        cl_event gate = cl->clCreateUserEvent(ctx, &e);
        const int from = 0;
        CHECK(cl->clSetKernelArgSVMPointer(sums, 0, shared));
        CHECK(cl->clSetKernelArg(sums, 1, sizeof out, &out));
        CHECK(cl->clSetKernelArg(sums, 2, sizeof from, &from));
        CHECK(cl->clEnqueueNDRangeKernel(ordered, sums, 1, NULL, (size_t[]){4}, NULL, 1, &gate,
                                         NULL));
        cl->clSVMFree(ctx, shared);
        CHECK(cl->clSetUserEventStatus(gate, CL_COMPLETE));
    } else if (IS("shared-freed-by-command")) {
        CHECK(cl->clSetKernelArgSVMPointer(sums, 0, shared));
        CHECK(cl->clEnqueueSVMFree(ordered, 1, (void **)&shared, NULL, NULL, 0, NULL, NULL));
        CHECK(cl->clSetKernelArg(sums, 1, sizeof out, &out));
        CHECK(cl->clSetKernelArg(sums, 2, sizeof(int), &(int){0}));
        CHECK(
            cl->clEnqueueNDRangeKernel(ordered, sums, 1, NULL, (size_t[]){4}, NULL, 0, NULL, NULL));
    } else if (IS("clean-shared-set-anew")) { // what was freed is not an argument any more
        int *gone = cl->clSVMAlloc(ctx, CL_MEM_READ_WRITE, BYTES, 0);
        CHECK(cl->clSetKernelArgSVMPointer(sums, 0, gone));
        cl->clSVMFree(ctx, gone);
        CHECK(
            cl->clEnqueueSVMMemFill(ordered, shared, &(int){0}, sizeof(int), BYTES, 0, NULL, NULL));
        run_shared(ordered, shared);
    } else if (IS("clean-shared-freed-behind")) {
        CHECK(
            cl->clEnqueueSVMMemFill(ordered, shared, &(int){0}, sizeof(int), BYTES, 0, NULL, NULL));
        run_shared(ordered, shared);
        CHECK(cl->clFinish(ordered));
        cl->clSVMFree(ctx, shared);
    } else if (IS("two-names")) { // the race check leaves buffers alone that only atomics touch:
                                  // not this one
        const size_t items = N;
        CHECK(cl->clSetKernelArg(tickets, 0, sizeof buf, &buf));
        CHECK(cl->clSetKernelArg(tickets, 1, sizeof buf, &buf));
        CHECK(cl->clEnqueueNDRangeKernel(ordered, tickets, 1, NULL, &items, NULL, 0, NULL, NULL));
    } else if (IS("clean-released-behind")) {
        const size_t items = 4;
        const int zero = 0;
        cl_mem gone = cl->clCreateBuffer(ctx, CL_MEM_READ_WRITE, BYTES, NULL, &e);
        CHECK(cl->clSetKernelArg(half, 0, sizeof gone, &gone));
        CHECK(cl->clSetKernelArg(half, 1, sizeof zero, &zero));
        CHECK(cl->clSetKernelArg(half, 2, sizeof zero, &zero));
        CHECK(cl->clEnqueueNDRangeKernel(ordered, half, 1, NULL, &items, NULL, 0, NULL, NULL));
        CHECK(cl->clReleaseMemObject(gone));
    } else if (IS("queue-released")) {
        run_half(only_queue(), 0, 0, NULL, &a);
        run_half(only_queue(), 64, 0, NULL, NULL);
        finish();
        CHECK(cl->clWaitForEvents(1, &a));      // or it might never run
    } else if (IS("queue-released-finished")) { // of another buffer: the first queue's commands run
                                                // on
        cl_mem first = buf;
        run_half(only_queue(), 0, 0, NULL, &a);
        buf = out;
        run_half(only_queue(), 0, 0, NULL, NULL);
        CHECK(cl->clFinish(ordered));
        buf = first;
        run_half(only_queue(), 64, 0, NULL, NULL);
        finish();
        CHECK(cl->clWaitForEvents(1, &a));
    } else if (IS("possible-unrecorded")) { // nothing else could run when the first launch did
        int flag = 0, *at = &flag;
        cl_command_queue q = only_queue();
        run_half(q, 0, 0, NULL, NULL);
        CHECK(cl->clEnqueueNativeKernel(q, set_flag, &at, sizeof at, 0, NULL, NULL, 0, NULL, NULL));
        CHECK(cl->clFlush(q));
        while (!__atomic_load_n(&flag, __ATOMIC_ACQUIRE)) {}
        run_half(only_queue(), 64, 0, NULL, NULL);
    } else if (IS("many-pending")) {
        const int zero = 0;
        cl_event gate = cl->clCreateUserEvent(ctx, &e);
        CHECK(cl->clEnqueueFillBuffer(ordered, buf, &zero, sizeof zero, 0, 512, 1, &gate, NULL));
        for (int i = 0; i < 6000; i++)
            CHECK(cl->clEnqueueFillBuffer(ordered, out, &zero, sizeof zero, 0, sizeof zero, 0, NULL,
                                          NULL));
        run_half(other, 64, 0, NULL, NULL);
        CHECK(cl->clSetUserEventStatus(gate, CL_COMPLETE));
    } else if (IS("many-unordered")) { // the first and the last of very many
        const int zero = 0;
        run_half(loose, 0, 0, NULL, NULL);
        for (int i = 0; i < 128; i++)
            CHECK(cl->clEnqueueFillBuffer(loose, buf, &zero, sizeof zero, 512 + 4 * (size_t)i,
                                          sizeof zero, 0, NULL, NULL));
        CHECK(
            cl->clEnqueueFillBuffer(loose, buf, &zero, sizeof zero, 0, sizeof zero, 0, NULL, NULL));
    } else if (IS("clean-barrier-with-a-list")) {
        run_half(loose, 0, 0, NULL, &a);
        CHECK(cl->clEnqueueBarrierWithWaitList(loose, 1, &a, NULL));
        run_half(loose, 64, 0, NULL, NULL);
    } else if (IS("clean-queue-released")) {
        run_half(only_queue(), 0, 0, NULL, NULL);
        CHECK(cl->clFinish(ordered));
        run_half(only_queue(), 64, 0, NULL, NULL);
    } else if (IS("clean-one-queue")) {
        CHECK(cl->clEnqueueWriteBuffer(ordered, buf, CL_FALSE, 0, BYTES, host, 0, NULL, NULL));
        run_half(ordered, 0, 0, NULL, NULL);
        run_half(ordered, 64, 0, NULL, NULL);
        run_sums(ordered, 0);
        read_all(ordered, CL_TRUE, 0, NULL);
    } else if (IS("clean-halves")) { // two kernels, each its half
        run_half(loose, 0, 0, NULL, NULL);
        run_half(loose, 128, 0, NULL, &a);
        run_half(loose, 128, 1, &a, NULL);
    } else if (IS("clean-events")) { // through a third command, and through a marker
        run_half(ordered, 0, 0, NULL, NULL);
        run_half(ordered, 0, 0, NULL, &a);
        CHECK(cl->clEnqueueMarkerWithWaitList(loose, 1, &a, &b));
        run_half(other, 64, 1, &b, &a);
        read_all(loose, CL_TRUE, 1, &a);
    } else if (IS("clean-finish")) {
        run_half(loose, 0, 0, NULL, NULL);
        CHECK(cl->clFinish(loose));
        read_all(other, CL_TRUE, 0, NULL);
        run_half(ordered, 0, 0, NULL, NULL);
    } else if (IS("clean-barrier")) {
        run_half(loose, 0, 0, NULL, NULL);
        CHECK(cl->clEnqueueBarrierWithWaitList(loose, 0, NULL, NULL));
        run_half(loose, 0, 0, NULL, NULL);
        CHECK(cl->clEnqueueBarrierWithWaitList(loose, 0, NULL, &a));
        CHECK(cl->clFlush(loose));
        read_all(ordered, CL_TRUE, 1, &a);
    } else if (IS("clean-status")) { // asked for until it is done
        run_half(ordered, 0, 0, NULL, &a);
        CHECK(cl->clFlush(ordered));
        for (cl_int status = CL_QUEUED; status != CL_COMPLETE;)
            CHECK(cl->clGetEventInfo(a, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status,
                                     NULL));
        read_all(other, CL_TRUE, 0, NULL);
    } else if (IS("clean-user-event")) { // enqueued first, let go when the other is done
        cl_event gate = cl->clCreateUserEvent(ctx, &e);
        run_half(loose, 0, 1, &gate, NULL);
        run_half(ordered, 64, 0, NULL, NULL);
        CHECK(cl->clFinish(ordered));
        CHECK(cl->clSetUserEventStatus(gate, CL_COMPLETE));
    } else if (IS("clean-atomics")) {
        run_counts(ordered);
        run_counts(other);
    } else if (IS("clean-readers")) {
        run_sums(ordered, 0);
        CHECK(cl->clFinish(ordered));
        CHECK(cl->clEnqueueReadBuffer(ordered, buf, CL_FALSE, 0, BYTES, host, 0, NULL, NULL));
        CHECK(cl->clEnqueueCopyBuffer(other, buf, out, 0, 0, BYTES, 0, NULL, NULL));
    } else if (IS("clean-map-used-behind")) {
        void *p = map(ordered, CL_MAP_WRITE, 0);
        run_sums(ordered, 128);
        CHECK(cl->clEnqueueUnmapMemObject(ordered, buf, p, 0, NULL, NULL));
        run_half(ordered, 0, 0, NULL, NULL);
        p = map(ordered, CL_MAP_READ, 0);
        run_sums(ordered, 0);
        CHECK(cl->clEnqueueUnmapMemObject(ordered, buf, p, 0, NULL, &a));
        run_half(other, 0, 1, &a, NULL);
    } else {
        fprintf(stderr, "there is no case '%s'\n", name);
        exit(99);
    }
    finish();
}

int main(int argc, char **argv)
{
    if (argc != 2) return 99;
    set_up();
    case_of(argv[1]);
    return 0;
}
