// SPDX-License-Identifier: MIT
// cl_khr_command_buffer and cl_khr_command_buffer_mutable_dispatch: states, order, queries,
// changes, rejected calls.
#include "tests/api/fixture.h"

#include "api/command_buffer.h"

// (the installed headers may declare the functions otherwise, so the pointers have other names)
#define FUNCTION(name) static __typeof__(api_cl##name) *my##name
FUNCTION(CreateCommandBufferKHR);
FUNCTION(RetainCommandBufferKHR);
FUNCTION(ReleaseCommandBufferKHR);
FUNCTION(FinalizeCommandBufferKHR);
FUNCTION(EnqueueCommandBufferKHR);
FUNCTION(GetCommandBufferInfoKHR);
FUNCTION(CommandBarrierWithWaitListKHR);
FUNCTION(CommandCopyBufferKHR);
FUNCTION(CommandCopyBufferRectKHR);
FUNCTION(CommandCopyBufferToImageKHR);
FUNCTION(CommandCopyImageKHR);
FUNCTION(CommandCopyImageToBufferKHR);
FUNCTION(CommandFillBufferKHR);
FUNCTION(CommandFillImageKHR);
FUNCTION(CommandSVMMemcpyKHR);
FUNCTION(CommandSVMMemFillKHR);
FUNCTION(CommandNDRangeKernelKHR);
FUNCTION(UpdateMutableCommandsKHR);
FUNCTION(GetMutableCommandInfoKHR);

enum { N = 256 };
static const size_t bytes = N * sizeof(cl_int), items = N;
static const char source[] =
    "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }\n"
    "kernel void groups(global int *p) { p[get_global_id(0)] = get_num_groups(0); }\n";
static cl_program program;
static cl_kernel add;
static cl_mem buffer, other;

static void *function(const char *name)
{
    void *f = cl->clGetExtensionFunctionAddressForPlatform(platform, name);
    assert_non_null(f);
    return f;
}
#define FIND(name) *(void **)&my##name = function("cl" #name)

static int setup(void **state)
{
    const int bad = fixture_setup(state);
    FIND(CreateCommandBufferKHR);
    FIND(RetainCommandBufferKHR);
    FIND(ReleaseCommandBufferKHR);
    FIND(FinalizeCommandBufferKHR);
    FIND(EnqueueCommandBufferKHR);
    FIND(GetCommandBufferInfoKHR);
    FIND(CommandBarrierWithWaitListKHR);
    FIND(CommandCopyBufferKHR);
    FIND(CommandCopyBufferRectKHR);
    FIND(CommandCopyBufferToImageKHR);
    FIND(CommandCopyImageKHR);
    FIND(CommandCopyImageToBufferKHR);
    FIND(CommandFillBufferKHR);
    FIND(CommandFillImageKHR);
    FIND(CommandSVMMemcpyKHR);
    FIND(CommandSVMMemFillKHR);
    FIND(CommandNDRangeKernelKHR);
    FIND(UpdateMutableCommandsKHR);
    FIND(GetMutableCommandInfoKHR);
    program = fixture_program(source);
    add = fixture_kernel(program, "add");
    buffer = fixture_buffer(bytes);
    other = fixture_buffer(bytes);
    return bad;
}

static int teardown(void **state)
{
    cl->clReleaseKernel(add);
    cl->clReleaseProgram(program);
    cl->clReleaseMemObject(buffer);
    cl->clReleaseMemObject(other);
    return fixture_teardown(state);
}

#define OK(call) assert_int_equal((call), CL_SUCCESS)

static cl_command_buffer_khr create(cl_command_queue q, cl_bitfield flags)
{
    cl_int e = 1;
    const api_properties list[] = {NEW_COMMAND_BUFFER_FLAGS, flags, 0};
    cl_command_buffer_khr b = myCreateCommandBufferKHR(1, &q, flags ? list : NULL, &e);
    OK(e);
    return b;
}

static cl_mutable_command_khr record_add(cl_command_buffer_khr b, int n, cl_uint nwait,
                                         const cl_sync_point_khr *wait, cl_sync_point_khr *point)
{
    cl_mutable_command_khr c = NULL;
    OK(cl->clSetKernelArg(add, 0, sizeof buffer, &buffer));
    OK(cl->clSetKernelArg(add, 1, sizeof n, &n));
    OK(myCommandNDRangeKernelKHR(b, NULL, NULL, add, 1, NULL, &items, NULL, nwait, wait, point,
                                 &c));
    return c;
}

static void record_fill(cl_command_buffer_khr b, cl_mem m, cl_int value, cl_sync_point_khr *point)
{
    OK(myCommandFillBufferKHR(b, NULL, NULL, m, &value, sizeof value, 0, bytes, 0, NULL, point,
                              NULL));
}

static void expect(cl_mem m, cl_int value)
{
    cl_int data[N];
    OK(cl->clEnqueueReadBuffer(queue, m, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
    for (int i = 0; i < N; i++) assert_int_equal(data[i], value);
}

static cl_uint state_of(cl_command_buffer_khr b)
{
    cl_uint s = 9;
    OK(myGetCommandBufferInfoKHR(b, NEW_COMMAND_BUFFER_STATE, sizeof s, &s, NULL));
    return s;
}

static void enqueues_repeat(void **state)
{
    cl_command_buffer_khr b = create(queue, 0);
    record_fill(b, buffer, 40, NULL);
    record_add(b, 2, 0, NULL, NULL);
    OK(cl->clSetKernelArg(add, 1, sizeof(cl_int), &(cl_int){1000})); // has no effect on b
    assert_int_equal(state_of(b), NEW_STATE_RECORDING);
    NO(CL_INVALID_OPERATION, myEnqueueCommandBufferKHR(0, NULL, b, 0, NULL, NULL));
    OK(myFinalizeCommandBufferKHR(b));
    NO(CL_INVALID_OPERATION, myFinalizeCommandBufferKHR(b));
    assert_int_equal(state_of(b), NEW_STATE_EXECUTABLE);
    for (int i = 0; i < 3; i++) OK(myEnqueueCommandBufferKHR(0, NULL, b, 0, NULL, NULL));
    OK(myReleaseCommandBufferKHR(b)); // while it may run
    expect(buffer, 42);
    NO(CL_INVALID_COMMAND_BUFFER_KHR, myReleaseCommandBufferKHR(b));
}

/** Sync points, barriers and the order of an in-order queue, on both kinds of queues. */
static void order_is_kept(void **state)
{
    cl_command_queue queues[] = {queue, loose};
    for (int i = 0; i < 8; i++) {
        cl_command_queue made_for = queues[i & 1], used = queues[i >> 1 & 1];
        cl_command_buffer_khr b = create(made_for, 0);
        cl_sync_point_khr p = 0, *const point = i & 4 ? NULL : &p;
        record_fill(b, buffer, 1, point);
        for (int k = 0; k < 5; k++) {
            if (!point) OK(myCommandBarrierWithWaitListKHR(b, NULL, NULL, 0, NULL, NULL, NULL));
            const cl_sync_point_khr before = p;
            record_add(b, k, point != NULL, point ? &before : NULL, point);
        }
        OK(myFinalizeCommandBufferKHR(b));
        cl_event done;
        OK(myEnqueueCommandBufferKHR(1, &used, b, 0, NULL, &done));
        OK(cl->clWaitForEvents(1, &done));
        expect(buffer, 11);
        OK(cl->clReleaseEvent(done));
        OK(myReleaseCommandBufferKHR(b));
    }
}

static void waits_for_events(void **state)
{
    cl_int e, status = 1;
    cl_event gate = cl->clCreateUserEvent(context, &e), done;
    cl_command_buffer_khr b = create(loose, 0);
    record_fill(b, buffer, 5, NULL);
    OK(myFinalizeCommandBufferKHR(b));
    const cl_int zero = 0;
    OK(cl->clEnqueueFillBuffer(queue, buffer, &zero, sizeof zero, 0, bytes, 0, NULL, NULL));
    expect(buffer, 0);
    OK(myEnqueueCommandBufferKHR(0, NULL, b, 1, &gate, &done));
    OK(cl->clFlush(loose));
    expect(buffer, 0);
    OK(cl->clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    assert_true(status > CL_RUNNING);
    OK(cl->clSetUserEventStatus(gate, CL_COMPLETE));
    OK(cl->clWaitForEvents(1, &done));
    expect(buffer, 5);
    cl->clReleaseEvent(done);
    cl->clReleaseEvent(gate);
    gate = cl->clCreateUserEvent(context, &e); // an error cancels all commands
    OK(cl->clEnqueueFillBuffer(queue, buffer, &zero, sizeof zero, 0, bytes, 0, NULL, NULL));
    OK(myEnqueueCommandBufferKHR(1, &queue, b, 1, &gate, &done));
    OK(cl->clSetUserEventStatus(gate, -5));
    NO(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, cl->clWaitForEvents(1, &done));
    expect(buffer, 0);
    cl->clReleaseEvent(done);
    cl->clReleaseEvent(gate);
    OK(myReleaseCommandBufferKHR(b));
}

static void has_a_profile(void **state)
{
    cl_command_buffer_khr b = create(loose, 0);
    for (int i = 0; i < 8; i++) record_fill(b, buffer, i, NULL);
    OK(myFinalizeCommandBufferKHR(b));
    cl_event done;
    OK(myEnqueueCommandBufferKHR(1, &queue, b, 0, NULL, &done));
    OK(cl->clWaitForEvents(1, &done));
    cl_ulong t[4] = {0};
    for (cl_uint i = 0; i < 4; i++)
        OK(cl->clGetEventProfilingInfo(done, CL_PROFILING_COMMAND_QUEUED + i, sizeof *t, &t[i],
                                       NULL));
    assert_true(t[0] && t[0] <= t[1] && t[1] <= t[2] && t[2] < t[3]);
    cl_command_type type;
    OK(cl->clGetEventInfo(done, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    assert_int_equal(type, NEW_COMMAND_COMMAND_BUFFER);
    cl->clReleaseEvent(done);
    OK(myReleaseCommandBufferKHR(b));
}

static void every_command(void **state)
{
    cl_int e, value = 7, color[4] = {3, 0, 0, 0};
    const cl_image_format format = {CL_R, CL_SIGNED_INT32};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 16, .image_height = 16};
    cl_mem one = cl->clCreateImage(context, 0, &format, &desc, NULL, &e),
           two = cl->clCreateImage(context, 0, &format, &desc, NULL, &e);
    cl_int *p = cl->clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, bytes, 0),
           *q = cl->clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, bytes, 0);
    const size_t zero[3] = {0}, whole[3] = {16, 16, 1}, rect[3] = {64, 16, 1};
    cl_command_buffer_khr b = create(queue, 0);
    OK(myCommandFillImageKHR(b, NULL, NULL, one, color, zero, whole, 0, NULL, NULL, NULL));
    OK(myCommandCopyImageKHR(b, NULL, NULL, one, two, zero, zero, whole, 0, NULL, NULL, NULL));
    OK(myCommandCopyImageToBufferKHR(b, NULL, NULL, two, buffer, zero, whole, 0, 0, NULL, NULL,
                                     NULL));
    OK(myCommandCopyBufferToImageKHR(b, NULL, NULL, buffer, one, 0, zero, whole, 0, NULL, NULL,
                                     NULL));
    OK(myCommandCopyBufferRectKHR(b, NULL, NULL, buffer, other, zero, zero, rect, 64, 0, 64, 0, 0,
                                  NULL, NULL, NULL));
    OK(myCommandSVMMemFillKHR(b, NULL, NULL, p, &value, sizeof value, bytes, 0, NULL, NULL, NULL));
    OK(myCommandSVMMemcpyKHR(b, NULL, NULL, q, p, bytes, 0, NULL, NULL, NULL));
    OK(myCommandCopyBufferKHR(b, NULL, NULL, other, buffer, 0, 0, 0, 0, NULL, NULL, NULL));
    OK(myFinalizeCommandBufferKHR(b));
    for (int i = 0; i < 2; i++) OK(myEnqueueCommandBufferKHR(0, NULL, b, 0, NULL, NULL));
    OK(cl->clFinish(queue));
    expect(other, 3);
    for (int i = 0; i < N; i++) assert_int_equal(q[i], 7);
    OK(myReleaseCommandBufferKHR(b));
    cl->clSVMFree(context, p);
    cl->clSVMFree(context, q);
    cl->clReleaseMemObject(one);
    cl->clReleaseMemObject(two);
}

static void queries(void **state)
{
    cl_command_buffer_khr b = create(queue, NEW_COMMAND_BUFFER_MUTABLE), of;
    cl_mutable_command_khr c = record_add(b, 1, 0, NULL, NULL);
    cl_uint n;
    cl_command_queue q;
    cl_context x;
    size_t size, three[3];
    api_properties list[3];
    OK(myRetainCommandBufferKHR(b));
    OK(myGetCommandBufferInfoKHR(b, NEW_COMMAND_BUFFER_REFERENCE_COUNT, sizeof n, &n, &size));
    assert_int_equal(n, 2);
    OK(myReleaseCommandBufferKHR(b));
    OK(myGetCommandBufferInfoKHR(b, NEW_COMMAND_BUFFER_NUM_QUEUES, sizeof n, &n, NULL));
    assert_int_equal(n, 1);
    OK(myGetCommandBufferInfoKHR(b, NEW_COMMAND_BUFFER_QUEUES, sizeof q, &q, NULL));
    assert_ptr_equal(q, queue);
    OK(myGetCommandBufferInfoKHR(b, NEW_COMMAND_BUFFER_CONTEXT, sizeof x, &x, NULL));
    assert_ptr_equal(x, context);
    OK(myGetCommandBufferInfoKHR(b, NEW_COMMAND_BUFFER_PROPERTIES_ARRAY, sizeof list, list, &size));
    assert_int_equal(size, sizeof list);
    assert_int_equal(list[1], NEW_COMMAND_BUFFER_MUTABLE);
    NO(CL_INVALID_VALUE, myGetCommandBufferInfoKHR(b, NEW_COMMAND_BUFFER_QUEUES, 1, &q, NULL));
    NO(CL_INVALID_VALUE, myGetCommandBufferInfoKHR(b, 1, sizeof n, &n, NULL));
    NO(CL_INVALID_COMMAND_BUFFER_KHR, myGetCommandBufferInfoKHR(NULL, 1, sizeof n, &n, NULL));
    cl_kernel k;
    OK(myGetMutableCommandInfoKHR(c, NEW_MUTABLE_DISPATCH_KERNEL, sizeof k, &k, NULL));
    assert_ptr_equal(k, add);
    OK(myGetMutableCommandInfoKHR(c, NEW_MUTABLE_COMMAND_COMMAND_BUFFER, sizeof of, &of, NULL));
    assert_ptr_equal(of, b);
    OK(myGetMutableCommandInfoKHR(c, NEW_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE, sizeof three, three,
                                  &size));
    assert_int_equal(size, sizeof(size_t));
    assert_int_equal(three[0], N);
    OK(myGetMutableCommandInfoKHR(c, NEW_MUTABLE_DISPATCH_LOCAL_WORK_SIZE, sizeof three, three,
                                  NULL));
    assert_int_equal(three[0], 0);
    OK(myGetMutableCommandInfoKHR(c, NEW_MUTABLE_COMMAND_PROPERTIES_ARRAY, 0, NULL, &size));
    assert_int_equal(size, 0);
    NO(CL_INVALID_MUTABLE_COMMAND_KHR,
       myGetMutableCommandInfoKHR((void *)b, NEW_MUTABLE_DISPATCH_KERNEL, sizeof k, &k, NULL));
    OK(myReleaseCommandBufferKHR(b));
    NO(CL_INVALID_MUTABLE_COMMAND_KHR,
       myGetMutableCommandInfoKHR(c, NEW_MUTABLE_DISPATCH_KERNEL, sizeof k, &k, NULL));
}

static cl_int update(cl_command_buffer_khr b, unsigned n, const struct api_new_dispatch *changes)
{
    const cl_uint types[4] = {0};
    const void *configs[4];
    for (unsigned i = 0; i < n; i++) configs[i] = &changes[i];
    return myUpdateMutableCommandsKHR(b, n, types, configs);
}

static void changes_persist(void **state)
{
    cl_command_buffer_khr b = create(queue, NEW_COMMAND_BUFFER_MUTABLE);
    record_fill(b, buffer, 0, NULL);
    record_fill(b, other, 0, NULL);
    cl_mutable_command_khr c = record_add(b, 1, 0, NULL, NULL);
    const cl_int five = 5, six = 6;
    const struct api_new_arg value = {1, sizeof five, &five}, again = {1, sizeof six, &six},
                             memory = {0, sizeof other, &other}, bad = {2, 4, &five};
    const struct api_new_dispatch good = {.command = c, .nargs = 1, .args = &value};
    NO(CL_INVALID_OPERATION, update(b, 1, &good)); // not finalized
    OK(myFinalizeCommandBufferKHR(b));
    OK(update(b, 1, &good));
    OK(myEnqueueCommandBufferKHR(0, NULL, b, 0, NULL, NULL));
    expect(buffer, 5);
    // Two changes of one command; the last call does nothing, because its second change is wrong.
    OK(update(b, 2,
              (struct api_new_dispatch[]){{.command = c, .nargs = 1, .args = &memory},
                                          {.command = c, .nargs = 1, .args = &again}}));
    NO(CL_INVALID_ARG_INDEX,
       update(b, 2,
              (struct api_new_dispatch[]){{.command = c, .nargs = 1, .args = &value},
                                          {.command = c, .nargs = 1, .args = &bad}}));
    OK(myEnqueueCommandBufferKHR(0, NULL, b, 0, NULL, NULL));
    expect(buffer, 0);
    expect(other, 6);
    const size_t half = N / 2;
    OK(update(b, 1, &(struct api_new_dispatch){.command = c, .offset = &half, .global = &half}));
    OK(myEnqueueCommandBufferKHR(0, NULL, b, 0, NULL, NULL));
    cl_int data[N];
    OK(cl->clEnqueueReadBuffer(queue, other, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
    for (int i = 0; i < N; i++) assert_int_equal(data[i], i < N / 2 ? 0 : 6);
    OK(myReleaseCommandBufferKHR(b));
}

static void arguments_may_come_later(void **state)
{
    cl_int e;
    cl_kernel late = cl->clCreateKernel(program, "add", &e);
    const cl_int nine = 9;
    OK(cl->clSetKernelArg(late, 1, sizeof nine, &nine));
    cl_command_buffer_khr b = create(queue, NEW_COMMAND_BUFFER_MUTABLE);
    cl_mutable_command_khr c;
    record_fill(b, buffer, 0, NULL);
    NO(CL_INVALID_KERNEL_ARGS,
       myCommandNDRangeKernelKHR(b, NULL, NULL, late, 1, NULL, &items, NULL, 0, NULL, NULL, &c));
    const api_properties later[] = {NEW_MUTABLE_DISPATCH_UPDATABLE_FIELDS, NEW_MUTABLE_ARGUMENTS,
                                    0};
    OK(myCommandNDRangeKernelKHR(b, NULL, later, late, 1, NULL, &items, NULL, 0, NULL, NULL, &c));
    OK(myFinalizeCommandBufferKHR(b));
    assert_int_equal(state_of(b), NEW_STATE_FINALIZED);
    NO(CL_INVALID_OPERATION, myEnqueueCommandBufferKHR(0, NULL, b, 0, NULL, NULL));
    NO(CL_INVALID_OPERATION, // the field was not asked for
       update(b, 1, &(struct api_new_dispatch){.command = c, .global = &items}));
    const struct api_new_arg memory = {0, sizeof buffer, &buffer};
    OK(update(b, 1, &(struct api_new_dispatch){.command = c, .nargs = 1, .args = &memory}));
    assert_int_equal(state_of(b), NEW_STATE_EXECUTABLE);
    OK(myEnqueueCommandBufferKHR(0, NULL, b, 0, NULL, NULL));
    expect(buffer, 9);
    OK(myReleaseCommandBufferKHR(b));
    OK(cl->clReleaseKernel(late));
}

static void work_groups_are_limited(void **state)
{
    cl_kernel k = fixture_kernel(program, "groups");
    OK(cl->clSetKernelArg(k, 0, sizeof buffer, &buffer));
    const api_properties list[] = {NEW_MUTABLE_DISPATCH_ASSERTS,
                                   NEW_ASSERT_NO_ADDITIONAL_WORK_GROUPS, 0};
    const size_t four = 4, sixteen = 16, odd = 6, big = 32;
    cl_mutable_command_khr c;
    cl_command_buffer_khr b = create(queue, NEW_COMMAND_BUFFER_MUTABLE);
    NO(CL_INVALID_VALUE,
       myCommandNDRangeKernelKHR(b, NULL, list, k, 1, NULL, &sixteen, NULL, 0, NULL, NULL, &c));
    OK(myCommandNDRangeKernelKHR(b, NULL, list, k, 1, NULL, &sixteen, &four, 0, NULL, NULL, &c));
    OK(myFinalizeCommandBufferKHR(b));
    NO(CL_INVALID_OPERATION,
       update(b, 1, &(struct api_new_dispatch){.command = c, .global = &big}));
    NO(CL_INVALID_WORK_GROUP_SIZE,
       update(b, 1, &(struct api_new_dispatch){.command = c, .global = &odd}));
    OK(update(b, 1, &(struct api_new_dispatch){.command = c, .local = &sixteen}));
    OK(myEnqueueCommandBufferKHR(0, NULL, b, 0, NULL, NULL));
    cl_int first = 0;
    OK(cl->clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, &first, 0, NULL, NULL));
    assert_int_equal(first, 1);
    OK(myReleaseCommandBufferKHR(b));
    OK(cl->clReleaseKernel(k));
}

static void wrong_recordings(void **state)
{
    cl_int e, value = 0;
    cl_mutable_command_khr c;
    cl_sync_point_khr none = 0, beyond = 2, point;
    cl_command_buffer_khr b = create(queue, 0);
    const api_properties unknown[] = {12, 1, 0},
                         twice[] = {NEW_COMMAND_BUFFER_FLAGS, 1, NEW_COMMAND_BUFFER_FLAGS, 1, 0},
                         bits[] = {NEW_COMMAND_BUFFER_FLAGS, 64, 0};
    NO_OBJECT(CL_INVALID_VALUE, myCreateCommandBufferKHR(1, NULL, NULL, &e));
    NO_OBJECT(CL_INVALID_VALUE,
              myCreateCommandBufferKHR(2, (cl_command_queue[]){queue, loose}, NULL, &e));
    NO_OBJECT(CL_INVALID_COMMAND_QUEUE,
              myCreateCommandBufferKHR(1, &(cl_command_queue){NULL}, NULL, &e));
    NO_OBJECT(CL_INVALID_VALUE, myCreateCommandBufferKHR(1, &queue, unknown, &e));
    NO_OBJECT(CL_INVALID_VALUE, myCreateCommandBufferKHR(1, &queue, twice, &e));
    NO_OBJECT(CL_INVALID_VALUE, myCreateCommandBufferKHR(1, &queue, bits, &e));
    record_fill(b, buffer, 0, &point);
    assert_int_equal(point, 1);
#define FILL(buf, q, props, size, n, list, handle)                                                 \
    myCommandFillBufferKHR(buf, q, props, buffer, &value, sizeof value, 0, size, n, list, NULL,    \
                           handle)
    NO(CL_INVALID_COMMAND_BUFFER_KHR, FILL(NULL, NULL, NULL, 4, 0, NULL, NULL));
    NO(CL_INVALID_COMMAND_QUEUE, FILL(b, queue, NULL, 4, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, FILL(b, NULL, unknown, 4, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, FILL(b, NULL, NULL, 4, 0, NULL, &c));
    NO(CL_INVALID_VALUE, FILL(b, NULL, NULL, bytes + 4, 0, NULL, NULL));
    NO(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, FILL(b, NULL, NULL, 4, 1, NULL, NULL));
    NO(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, FILL(b, NULL, NULL, 4, 0, &point, NULL));
    NO(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, FILL(b, NULL, NULL, 4, 1, &none, NULL));
    NO(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, FILL(b, NULL, NULL, 4, 1, &beyond, NULL));
    NO(CL_INVALID_KERNEL,
       myCommandNDRangeKernelKHR(b, NULL, NULL, NULL, 1, NULL, &items, NULL, 0, NULL, NULL, NULL));
    NO(CL_INVALID_VALUE, myCommandNDRangeKernelKHR(b, NULL, unknown, add, 1, NULL, &items, NULL, 0,
                                                   NULL, NULL, NULL));
    NO(CL_INVALID_WORK_DIMENSION,
       myCommandNDRangeKernelKHR(b, NULL, NULL, add, 4, NULL, &items, NULL, 0, NULL, NULL, NULL));
    OK(myFinalizeCommandBufferKHR(b));
    NO(CL_INVALID_OPERATION, FILL(b, NULL, NULL, 4, 0, NULL, NULL));
    NO(CL_INVALID_OPERATION, update(b, 0, NULL)); // not mutable
    NO(CL_INVALID_VALUE, myEnqueueCommandBufferKHR(1, NULL, b, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, myEnqueueCommandBufferKHR(0, &queue, b, 0, NULL, NULL));
    NO(CL_INVALID_VALUE,
       myEnqueueCommandBufferKHR(2, (cl_command_queue[]){queue, loose}, b, 0, NULL, NULL));
    NO(CL_INVALID_COMMAND_QUEUE,
       myEnqueueCommandBufferKHR(1, &(cl_command_queue){NULL}, b, 0, NULL, NULL));
    NO(CL_INVALID_EVENT_WAIT_LIST, myEnqueueCommandBufferKHR(0, NULL, b, 1, NULL, NULL));
    OK(myReleaseCommandBufferKHR(b));
}

static void is_listed(void **state)
{
    char names[8192];
    cl_bitfield bits = 0;
    OK(cl->clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof names, names, NULL));
    assert_non_null(strstr(names, "cl_khr_command_buffer "));
    assert_non_null(strstr(names, "cl_khr_command_buffer_mutable_dispatch"));
    OK(cl->clGetDeviceInfo(device, NEW_DEVICE_COMMAND_BUFFER_CAPABILITIES, sizeof bits, &bits,
                           NULL));
    assert_int_equal(bits, NEW_CAPABILITY_KERNEL_PRINTF | NEW_CAPABILITY_SIMULTANEOUS_USE);
    OK(cl->clGetDeviceInfo(device, NEW_DEVICE_MUTABLE_DISPATCH_CAPABILITIES, sizeof bits, &bits,
                           NULL));
    assert_int_equal(bits, 31);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_listed),
        cmocka_unit_test(enqueues_repeat),
        cmocka_unit_test(order_is_kept),
        cmocka_unit_test(waits_for_events),
        cmocka_unit_test(has_a_profile),
        cmocka_unit_test(every_command),
        cmocka_unit_test(queries),
        cmocka_unit_test(changes_persist),
        cmocka_unit_test(arguments_may_come_later),
        cmocka_unit_test(work_groups_are_limited),
        cmocka_unit_test(wrong_recordings),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
