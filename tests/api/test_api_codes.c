// SPDX-License-Identifier: MIT
// Refusals of what test_api_refusals.c does not have: pipes, newer and rarer entry points, wait lists, maps, shared memory.
#include "tests/api/fixture.h"

#include <stdbool.h>

static void pipes(void **state)
{
    cl_int e;
    cl_uint most, n = 0;
    size_t size = 99;
    char byte;
    cl->clGetDeviceInfo(device, CL_DEVICE_PIPE_MAX_PACKET_SIZE, sizeof most, &most, NULL);
    assert_true(most >= 1024);
    NO_OBJECT(CL_INVALID_CONTEXT, cl->clCreatePipe(NULL, 0, 4, 4, NULL, &e));
    static const cl_mem_flags bad[] = {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_USE_HOST_PTR, CL_MEM_HOST_READ_ONLY, 1ull << 40};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) NO_OBJECT(CL_INVALID_VALUE, cl->clCreatePipe(context, bad[i], 4, 4, NULL, &e));
    NO_OBJECT(CL_INVALID_VALUE, cl->clCreatePipe(context, 0, 4, 4, (cl_pipe_properties[]){1, 1, 0}, &e));
    NO_OBJECT(CL_INVALID_PIPE_SIZE, cl->clCreatePipe(context, 0, 0, 4, NULL, &e));
    NO_OBJECT(CL_INVALID_PIPE_SIZE, cl->clCreatePipe(context, 0, 4, 0, NULL, &e));
    NO_OBJECT(CL_INVALID_PIPE_SIZE, cl->clCreatePipe(context, 0, most + 1, 4, NULL, &e));
    NO_OBJECT(CL_INVALID_PIPE_SIZE, cl->clCreatePipe(context, 0, most, ~0u, NULL, &e));
    cl_mem p = cl->clCreatePipe(context, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, 12, 7, NULL, &e), b = fixture_buffer(64);
    NO(CL_SUCCESS, e);
    NO(CL_SUCCESS, cl->clGetPipeInfo(p, CL_PIPE_PACKET_SIZE, sizeof n, &n, &size));
    assert_true(n == 12 && size == sizeof n);
    NO(CL_SUCCESS, cl->clGetPipeInfo(p, CL_PIPE_MAX_PACKETS, sizeof n, &n, NULL));
    assert_int_equal(n, 7);
    NO(CL_SUCCESS, cl->clGetPipeInfo(p, CL_PIPE_PROPERTIES, 0, NULL, &size));
    assert_int_equal(size, 0);
    cl_mem_object_type type;
    NO(CL_SUCCESS, cl->clGetMemObjectInfo(p, CL_MEM_TYPE, sizeof type, &type, NULL));
    assert_int_equal(type, CL_MEM_OBJECT_PIPE);
    NO(CL_INVALID_VALUE, cl->clGetPipeInfo(p, CL_PIPE_PACKET_SIZE, 1, &n, NULL));
    NO(CL_INVALID_VALUE, cl->clGetPipeInfo(p, CL_MEM_SIZE, sizeof n, &n, NULL));
    NO(CL_INVALID_MEM_OBJECT, cl->clGetPipeInfo(b, CL_PIPE_PACKET_SIZE, sizeof n, &n, NULL));
    NO(CL_INVALID_MEM_OBJECT, cl->clGetPipeInfo(NULL, CL_PIPE_PACKET_SIZE, sizeof n, &n, NULL));
    NO(CL_INVALID_MEM_OBJECT, cl->clEnqueueReadBuffer(queue, p, CL_TRUE, 0, 1, &byte, 0, NULL, NULL));
    NO(CL_INVALID_MEM_OBJECT, cl->clEnqueueFillBuffer(queue, p, &byte, 1, 0, 1, 0, NULL, NULL));
    NO(CL_INVALID_MEM_OBJECT, cl->clEnqueueCopyBuffer(queue, b, p, 0, 0, 1, 0, NULL, NULL));
    NO_OBJECT(CL_INVALID_MEM_OBJECT, cl->clEnqueueMapBuffer(queue, p, CL_TRUE, CL_MAP_READ, 0, 1, 0, NULL, NULL, &e));
    NO_OBJECT(CL_INVALID_MEM_OBJECT, cl->clCreateSubBuffer(p, 0, CL_BUFFER_CREATE_TYPE_REGION, &(cl_buffer_region){0, 4}, &e));
    NO(CL_INVALID_MEM_OBJECT, cl->clGetImageInfo(p, CL_IMAGE_WIDTH, sizeof size, &size, NULL));
    const char *source = "kernel void k(read_only pipe int p, global int *b) {}";
    cl_program program = cl->clCreateProgramWithSource(context, 1, &source, NULL, NULL);
    NO(CL_SUCCESS, cl->clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL));
    cl_kernel k = fixture_kernel(program, "k");
    NO(CL_INVALID_MEM_OBJECT, cl->clSetKernelArg(k, 0, sizeof b, &b));
    NO(CL_INVALID_MEM_OBJECT, cl->clSetKernelArg(k, 1, sizeof p, &p));
    NO(CL_INVALID_ARG_SIZE, cl->clSetKernelArg(k, 0, 4, &p));
    NO(CL_INVALID_ARG_VALUE, cl->clSetKernelArgSVMPointer(k, 0, NULL));
    NO(CL_SUCCESS, cl->clSetKernelArg(k, 0, sizeof p, &p));
    cl->clReleaseKernel(k);
    cl->clReleaseProgram(program);
    cl->clReleaseMemObject(p);
    cl->clReleaseMemObject(b);
}

static void rarer_entry_points(void **state)
{
    cl_int e;
    size_t size;
    char text[4];
    cl_ulong t;
    NO(CL_INVALID_DEVICE, cl->clGetDeviceAndHostTimer(NULL, &t, &t));
    NO(CL_INVALID_VALUE, cl->clGetDeviceAndHostTimer(device, NULL, &t));
    NO(CL_INVALID_VALUE, cl->clGetDeviceAndHostTimer(device, &t, NULL));
    NO(CL_INVALID_DEVICE, cl->clGetHostTimer(NULL, &t));
    NO(CL_INVALID_VALUE, cl->clGetHostTimer(device, NULL));
    NO(CL_INVALID_PLATFORM, cl->clGetPlatformInfo((cl_platform_id)text, CL_PLATFORM_NAME, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clGetPlatformInfo(platform, CL_PLATFORM_NAME, 1, text, NULL));
    NO(CL_INVALID_VALUE, cl->clGetPlatformInfo(platform, 0x4242, 0, NULL, &size));
    NO(CL_INVALID_PLATFORM, cl->clUnloadPlatformCompiler(NULL));
    NO_OBJECT(CL_INVALID_KERNEL, cl->clCloneKernel(NULL, &e));
    NO(CL_INVALID_KERNEL, cl->clGetKernelInfo(NULL, CL_KERNEL_NUM_ARGS, 0, NULL, NULL));
    NO(CL_INVALID_SAMPLER, cl->clRetainSampler(NULL));
    NO(CL_INVALID_SAMPLER, cl->clGetSamplerInfo(NULL, CL_SAMPLER_CONTEXT, 0, NULL, NULL));
    NO_OBJECT(CL_INVALID_CONTEXT, cl->clCreateSamplerWithProperties(NULL, NULL, &e));
    NO_OBJECT(CL_INVALID_VALUE, cl->clCreateSamplerWithProperties(context, (cl_sampler_properties[]){0x4242, 1, 0}, &e));
    NO_OBJECT(CL_INVALID_VALUE, cl->clCreateSamplerWithProperties(context, (cl_sampler_properties[]){CL_SAMPLER_FILTER_MODE, 0x4242, 0}, &e));
    NO_OBJECT(CL_INVALID_CONTEXT, cl->clCreateBufferWithProperties(NULL, NULL, 0, 4, NULL, &e));
    NO_OBJECT(CL_INVALID_PROPERTY, cl->clCreateBufferWithProperties(context, (cl_mem_properties[]){0x4242, 1, 0}, 0, 4, NULL, &e));
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    NO_OBJECT(CL_INVALID_CONTEXT, cl->clCreateImageWithProperties(NULL, NULL, 0, &format, &desc, NULL, &e));
    NO_OBJECT(CL_INVALID_PROPERTY, cl->clCreateImageWithProperties(context, (cl_mem_properties[]){0x4242, 1, 0}, 0, &format, &desc, NULL, &e));
    NO(CL_INVALID_CONTEXT, cl->clSetContextDestructorCallback(NULL, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clSetContextDestructorCallback(context, NULL, NULL));
    NO(CL_INVALID_COMMAND_QUEUE, cl->clEnqueueBarrier(NULL));
    NO(CL_INVALID_COMMAND_QUEUE, cl->clEnqueueMarker(NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clEnqueueMarker(queue, NULL));
    NO(CL_INVALID_COMMAND_QUEUE, cl->clEnqueueWaitForEvents(NULL, 0, NULL));
    NO(CL_INVALID_VALUE, cl->clEnqueueWaitForEvents(queue, 0, NULL));
    NO(CL_INVALID_COMMAND_QUEUE, cl->clEnqueueTask(NULL, NULL, 0, NULL, NULL));
    NO(CL_INVALID_KERNEL, cl->clEnqueueTask(queue, NULL, 0, NULL, NULL));
}

// Every command takes a wait list: one loop over the ways that it can be wrong.
static void wait_lists(void **state)
{
    cl_int e;
    cl_context other = cl->clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    cl_event foreign = cl->clCreateUserEvent(other, &e), ours = cl->clCreateUserEvent(context, &e);
    cl_mem b = fixture_buffer(64), b2 = fixture_buffer(64);
    char host[64];
    const size_t zero[3] = {0}, one[3] = {1, 1, 1};
    const struct {
        cl_uint n;
        cl_event list[2];
        bool null;
        cl_int code;
    } bad[] = {
        {0, {ours}, false, CL_INVALID_EVENT_WAIT_LIST},
        {1, {NULL}, true, CL_INVALID_EVENT_WAIT_LIST},
        {1, {NULL}, false, CL_INVALID_EVENT_WAIT_LIST},
        {2, {ours, (cl_event)(void *)queue}, false, CL_INVALID_EVENT_WAIT_LIST},
        {2, {ours, foreign}, false, CL_INVALID_CONTEXT},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const cl_uint n = bad[i].n;
        const cl_event *w = bad[i].null ? NULL : bad[i].list;
        const cl_int code = bad[i].code;
        NO(code, cl->clEnqueueReadBuffer(queue, b, CL_FALSE, 0, 4, host, n, w, NULL));
        NO(code, cl->clEnqueueWriteBuffer(queue, b, CL_FALSE, 0, 4, host, n, w, NULL));
        NO(code, cl->clEnqueueCopyBuffer(queue, b, b2, 0, 0, 4, n, w, NULL));
        NO(code, cl->clEnqueueFillBuffer(queue, b, host, 4, 0, 4, n, w, NULL));
        NO(code, cl->clEnqueueReadBufferRect(queue, b, CL_FALSE, zero, zero, one, 0, 0, 0, 0, host, n, w, NULL));
        NO(code, cl->clEnqueueWriteBufferRect(queue, b, CL_FALSE, zero, zero, one, 0, 0, 0, 0, host, n, w, NULL));
        NO(code, cl->clEnqueueCopyBufferRect(queue, b, b2, zero, zero, one, 0, 0, 0, 0, n, w, NULL));
        NO_OBJECT(code, cl->clEnqueueMapBuffer(queue, b, CL_FALSE, CL_MAP_READ, 0, 4, n, w, NULL, &e));
        NO(code, cl->clEnqueueMigrateMemObjects(queue, 1, &b, 0, n, w, NULL));
        NO(code, cl->clEnqueueMarkerWithWaitList(queue, n, w, NULL));
        NO(code, cl->clEnqueueBarrierWithWaitList(queue, n, w, NULL));
    }
    // a command that waits for what failed
    cl_event failed = cl->clCreateUserEvent(context, &e);
    NO(CL_SUCCESS, cl->clSetUserEventStatus(failed, -7));
    NO(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, cl->clEnqueueReadBuffer(queue, b, CL_TRUE, 0, 4, host, 1, &failed, NULL));
    NO(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, cl->clWaitForEvents(1, &failed));
    NO(CL_INVALID_OPERATION, cl->clSetUserEventStatus(failed, 0));
    NO(CL_INVALID_VALUE, cl->clSetUserEventStatus(ours, 1));
    NO(CL_INVALID_CONTEXT, cl->clWaitForEvents(2, (cl_event[]){ours, foreign}));
    NO(CL_INVALID_VALUE, cl->clWaitForEvents(0, NULL));
    NO(CL_PROFILING_INFO_NOT_AVAILABLE, cl->clGetEventProfilingInfo(ours, CL_PROFILING_COMMAND_END, 8, host, NULL));
    NO(CL_SUCCESS, cl->clSetUserEventStatus(ours, 0));
    NO(CL_SUCCESS, cl->clSetUserEventStatus(foreign, 0));
    cl->clReleaseEvent(failed);
    cl->clReleaseEvent(ours);
    cl->clReleaseEvent(foreign);
    cl->clReleaseMemObject(b);
    cl->clReleaseMemObject(b2);
    cl->clReleaseContext(other);
}

static void shared_memory(void **state)
{
    char fill[200] = {0};
    assert_null(cl->clSVMAlloc(NULL, CL_MEM_READ_WRITE, 64, 0));
    assert_null(cl->clSVMAlloc(context, CL_MEM_READ_WRITE, 0, 0));
    assert_null(cl->clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 3));
    assert_null(cl->clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY, 64, 0));
    assert_null(cl->clSVMAlloc(context, CL_MEM_SVM_ATOMICS, 64, 0));
    char *p = cl->clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0);
    assert_non_null(p);
    NO(CL_INVALID_COMMAND_QUEUE, cl->clEnqueueSVMMap(NULL, CL_TRUE, CL_MAP_READ, p, 64, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, NULL, 64, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, p, 0, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clEnqueueSVMMap(queue, CL_TRUE, 0x4000, p, 64, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION, p, 64, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clEnqueueSVMUnmap(queue, NULL, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clEnqueueSVMMemFill(queue, NULL, fill, 4, 64, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clEnqueueSVMMemFill(queue, p, NULL, 4, 64, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clEnqueueSVMMemFill(queue, p, fill, 3, 63, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clEnqueueSVMMemFill(queue, p, fill, 4, 62, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clEnqueueSVMMemFill(queue, p + 1, fill, 4, 60, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clEnqueueSVMMemcpy(queue, CL_TRUE, NULL, p, 4, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clEnqueueSVMMemcpy(queue, CL_TRUE, p, NULL, 4, 0, NULL, NULL));
    NO(CL_MEM_COPY_OVERLAP, cl->clEnqueueSVMMemcpy(queue, CL_TRUE, p, p + 4, 16, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clEnqueueSVMFree(queue, 0, (void *[]){p}, NULL, NULL, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clEnqueueSVMFree(queue, 1, NULL, NULL, NULL, 0, NULL, NULL));
    cl->clSVMFree(context, p);
    cl->clSVMFree(context, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pipes), cmocka_unit_test(rarer_entry_points), cmocka_unit_test(wait_lists),
                                       cmocka_unit_test(shared_memory)};
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
