// SPDX-License-Identifier: MIT
// Commands that use the same memory, for together.sh: `together CASE`. The cases are named for what is wrong with them;
// those that begin with "clean" have nothing wrong.
#include "api/dispatch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct _cl_icd_dispatch *cl;
static cl_context ctx;
static cl_command_queue ordered, other, loose; // two in order, one out of order
static cl_mem buf, out;
static cl_kernel half, counts, tickets, sums;
static int host[256];
enum { N = 256, BYTES = N * 4 };

static const char *const source =
    "kernel void fills(global int *a, int from, int v) { a[from + get_global_id(0)] = v; }\n"
    "kernel void counts(global int *a) { atomic_inc(a); }\n"
    "kernel void tickets(global int *a, global int *b) { atomic_inc(a); if (get_global_id(0) == 9) b[1] = b[0]; }\n"
    "kernel void sums(global const int *a, global int *out, int from) { out[get_global_id(0)] = a[from + get_global_id(0)]; }\n";

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
    } else if (IS("two-names")) { // the race check leaves buffers alone that only atomics touch: not this one
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
            CHECK(cl->clGetEventInfo(a, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
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
