// SPDX-License-Identifier: MIT
// Refusals of what test_api_refusals.c does not have: pipes, newer and rarer entry points, wait
// lists, maps, shared memory.
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
    static const cl_mem_flags bad[] = {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_USE_HOST_PTR,
                                       CL_MEM_HOST_READ_ONLY, 1ull << 40};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        NO_OBJECT(CL_INVALID_VALUE, cl->clCreatePipe(context, bad[i], 4, 4, NULL, &e));
    NO_OBJECT(CL_INVALID_VALUE,
              cl->clCreatePipe(context, 0, 4, 4, (cl_pipe_properties[]){1, 1, 0}, &e));
    NO_OBJECT(CL_INVALID_VALUE, cl->clCreatePipe(context, 0, 4, 4, (cl_pipe_properties[]){0}, &e));
    NO_OBJECT(CL_INVALID_PIPE_SIZE, cl->clCreatePipe(context, 0, 0, 4, NULL, &e));
    NO_OBJECT(CL_INVALID_PIPE_SIZE, cl->clCreatePipe(context, 0, 4, 0, NULL, &e));
    NO_OBJECT(CL_INVALID_PIPE_SIZE, cl->clCreatePipe(context, 0, most + 1, 4, NULL, &e));
    NO_OBJECT(CL_INVALID_PIPE_SIZE, cl->clCreatePipe(context, 0, most, ~0u, NULL, &e));
    cl_mem p = cl->clCreatePipe(context, CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, 12, 7, NULL,
                                &e),
           b = fixture_buffer(64);
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
    NO(CL_INVALID_MEM_OBJECT,
       cl->clEnqueueReadBuffer(queue, p, CL_TRUE, 0, 1, &byte, 0, NULL, NULL));
    NO(CL_INVALID_MEM_OBJECT, cl->clEnqueueFillBuffer(queue, p, &byte, 1, 0, 1, 0, NULL, NULL));
    NO(CL_INVALID_MEM_OBJECT, cl->clEnqueueCopyBuffer(queue, b, p, 0, 0, 1, 0, NULL, NULL));
    NO_OBJECT(CL_INVALID_MEM_OBJECT,
              cl->clEnqueueMapBuffer(queue, p, CL_TRUE, CL_MAP_READ, 0, 1, 0, NULL, NULL, &e));
    NO(CL_INVALID_MEM_OBJECT, cl->clEnqueueUnmapMemObject(queue, p, &byte, 0, NULL, NULL));
    NO_OBJECT(CL_INVALID_MEM_OBJECT, cl->clCreateSubBuffer(p, 0, CL_BUFFER_CREATE_TYPE_REGION,
                                                           &(cl_buffer_region){0, 4}, &e));
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
    NO(CL_INVALID_PLATFORM,
       cl->clGetPlatformInfo((cl_platform_id)text, CL_PLATFORM_NAME, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clGetPlatformInfo(platform, CL_PLATFORM_NAME, 1, text, NULL));
    NO(CL_INVALID_VALUE, cl->clGetPlatformInfo(platform, 0x4242, 0, NULL, &size));
    NO(CL_INVALID_PLATFORM, cl->clUnloadPlatformCompiler(NULL));
    NO_OBJECT(CL_INVALID_KERNEL, cl->clCloneKernel(NULL, &e));
    NO(CL_INVALID_KERNEL, cl->clGetKernelInfo(NULL, CL_KERNEL_NUM_ARGS, 0, NULL, NULL));
    NO(CL_INVALID_SAMPLER, cl->clRetainSampler(NULL));
    NO(CL_INVALID_SAMPLER, cl->clGetSamplerInfo(NULL, CL_SAMPLER_CONTEXT, 0, NULL, NULL));
    NO_OBJECT(CL_INVALID_CONTEXT, cl->clCreateSamplerWithProperties(NULL, NULL, &e));
    NO_OBJECT(CL_INVALID_VALUE, cl->clCreateSamplerWithProperties(
                                    context, (cl_sampler_properties[]){0x4242, 1, 0}, &e));
    NO_OBJECT(CL_INVALID_VALUE,
              cl->clCreateSamplerWithProperties(
                  context, (cl_sampler_properties[]){CL_SAMPLER_FILTER_MODE, 0x4242, 0}, &e));
    NO_OBJECT(CL_INVALID_VALUE, cl->clCreateSamplerWithProperties(
                                    context,
                                    (cl_sampler_properties[]){CL_SAMPLER_FILTER_MODE,
                                                              1ull << 32 | CL_FILTER_LINEAR, 0},
                                    &e));
    NO_OBJECT(CL_INVALID_CONTEXT, cl->clCreateBufferWithProperties(NULL, NULL, 0, 4, NULL, &e));
    NO_OBJECT(CL_INVALID_PROPERTY,
              cl->clCreateBufferWithProperties(context, (cl_mem_properties[]){0x4242, 1, 0}, 0, 4,
                                               NULL, &e));
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    NO_OBJECT(CL_INVALID_CONTEXT,
              cl->clCreateImageWithProperties(NULL, NULL, 0, &format, &desc, NULL, &e));
    NO_OBJECT(CL_INVALID_PROPERTY,
              cl->clCreateImageWithProperties(context, (cl_mem_properties[]){0x4242, 1, 0}, 0,
                                              &format, &desc, NULL, &e));
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
        NO(code, cl->clEnqueueReadBufferRect(queue, b, CL_FALSE, zero, zero, one, 0, 0, 0, 0, host,
                                             n, w, NULL));
        NO(code, cl->clEnqueueWriteBufferRect(queue, b, CL_FALSE, zero, zero, one, 0, 0, 0, 0, host,
                                              n, w, NULL));
        NO(code,
           cl->clEnqueueCopyBufferRect(queue, b, b2, zero, zero, one, 0, 0, 0, 0, n, w, NULL));
        NO_OBJECT(code,
                  cl->clEnqueueMapBuffer(queue, b, CL_FALSE, CL_MAP_READ, 0, 4, n, w, NULL, &e));
        NO(code, cl->clEnqueueMigrateMemObjects(queue, 1, &b, 0, n, w, NULL));
        NO(code, cl->clEnqueueMarkerWithWaitList(queue, n, w, NULL));
        NO(code, cl->clEnqueueBarrierWithWaitList(queue, n, w, NULL));
    }
    // a command that waits for what failed
    cl_event failed = cl->clCreateUserEvent(context, &e);
    NO(CL_SUCCESS, cl->clSetUserEventStatus(failed, -7));
    NO(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
       cl->clEnqueueReadBuffer(queue, b, CL_TRUE, 0, 4, host, 1, &failed, NULL));
    NO(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, cl->clWaitForEvents(1, &failed));
    NO(CL_INVALID_OPERATION, cl->clSetUserEventStatus(failed, 0));
    NO(CL_INVALID_VALUE, cl->clSetUserEventStatus(ours, 1));
    NO(CL_INVALID_CONTEXT, cl->clWaitForEvents(2, (cl_event[]){ours, foreign}));
    NO(CL_INVALID_VALUE, cl->clWaitForEvents(0, NULL));
    NO(CL_PROFILING_INFO_NOT_AVAILABLE,
       cl->clGetEventProfilingInfo(ours, CL_PROFILING_COMMAND_END, 8, host, NULL));
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
    NO(CL_INVALID_COMMAND_QUEUE,
       cl->clEnqueueSVMMap(NULL, CL_TRUE, CL_MAP_READ, p, 64, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, NULL, 64, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, p, 0, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clEnqueueSVMMap(queue, CL_TRUE, 0x4000, p, 64, 0, NULL, NULL));
    NO(CL_INVALID_VALUE,
       cl->clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION, p, 64, 0,
                           NULL, NULL));
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

// Since OpenCL 2.1 and 3.0 a size of 0 is not an error where bytes are moved: a command with its
// event all the same.
static void sizes_of_zero(void **state)
{
    cl_mem a = fixture_buffer(64), b = fixture_buffer(64);
    char host[4];
    cl_event v;
    cl_command_type type;
    NO(CL_INVALID_VALUE, cl->clEnqueueReadBuffer(queue, a, CL_TRUE, 0, 0, NULL, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clEnqueueReadBuffer(queue, a, CL_TRUE, 65, 0, host, 0, NULL, NULL));
    NO(CL_SUCCESS, cl->clEnqueueReadBuffer(queue, a, CL_TRUE, 64, 0, host, 0, NULL, &v));
    NO(CL_SUCCESS, cl->clGetEventInfo(v, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    assert_int_equal(type, CL_COMMAND_READ_BUFFER);
    cl->clReleaseEvent(v);
    NO(CL_SUCCESS, cl->clEnqueueWriteBuffer(queue, a, CL_FALSE, 0, 0, host, 0, NULL, NULL));
    NO(CL_SUCCESS, cl->clEnqueueCopyBuffer(queue, a, b, 0, 0, 0, 0, NULL, NULL));
    NO(CL_SUCCESS, cl->clEnqueueCopyBuffer(queue, a, a, 8, 8, 0, 0, NULL, NULL));
    NO(CL_SUCCESS, cl->clEnqueueFillBuffer(queue, a, host, 4, 0, 0, 0, NULL, NULL));
    NO(CL_SUCCESS, cl->clFinish(queue));
    cl->clReleaseMemObject(a);
    cl->clReleaseMemObject(b);
}

// No byte or pixel is mapped for writing twice; readers may share, and what was unmapped may be
// mapped again before that has run.
static void maps_for_writing(void **state)
{
    cl_int e;
    size_t pitch;
    const size_t left[3] = {0, 0, 0}, right[3] = {2, 0, 0}, half[3] = {2, 4, 1},
                 more[3] = {3, 4, 1};
    cl_mem b = fixture_buffer(64);
    void *p = cl->clEnqueueMapBuffer(queue, b, CL_TRUE, CL_MAP_WRITE, 0, 32, 0, NULL, NULL, &e);
    NO(CL_SUCCESS, e);
    NO_OBJECT(CL_INVALID_OPERATION,
              cl->clEnqueueMapBuffer(queue, b, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 31, 8, 0, NULL,
                                     NULL, &e));
    NO_OBJECT(CL_INVALID_OPERATION,
              cl->clEnqueueMapBuffer(queue, b, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, 1, 0,
                                     NULL, NULL, &e));
    void *beside =
        cl->clEnqueueMapBuffer(queue, b, CL_TRUE, CL_MAP_WRITE, 32, 32, 0, NULL, NULL, &e);
    NO(CL_SUCCESS, e);
    void *reader = cl->clEnqueueMapBuffer(queue, b, CL_TRUE, CL_MAP_READ, 8, 8, 0, NULL, NULL, &e);
    NO(CL_SUCCESS, e);
    NO(CL_SUCCESS, cl->clEnqueueUnmapMemObject(queue, b, p, 0, NULL, NULL));
    p = cl->clEnqueueMapBuffer(queue, b, CL_TRUE, CL_MAP_WRITE, 0, 32, 0, NULL, NULL, &e);
    NO(CL_SUCCESS, e);
    void *const all[] = {p, beside, reader};
    for (int i = 0; i < 3; i++)
        NO(CL_SUCCESS, cl->clEnqueueUnmapMemObject(queue, b, all[i], 0, NULL, NULL));
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    cl_mem m =
        cl->clCreateImage(context, 0, &(cl_image_format){CL_RGBA, CL_UNORM_INT8}, &desc, NULL, &e);
    void *l = cl->clEnqueueMapImage(queue, m, CL_TRUE, CL_MAP_WRITE, left, half, &pitch, NULL, 0,
                                    NULL, NULL, &e);
    NO(CL_SUCCESS, e);
    void *r = cl->clEnqueueMapImage(queue, m, CL_TRUE, CL_MAP_WRITE, right, half, &pitch, NULL, 0,
                                    NULL, NULL, &e); // between the rows of the other
    NO(CL_SUCCESS, e);
    NO(CL_SUCCESS, cl->clEnqueueUnmapMemObject(queue, m, l, 0, NULL, NULL));
    NO_OBJECT(CL_INVALID_OPERATION, cl->clEnqueueMapImage(queue, m, CL_TRUE, CL_MAP_WRITE, left,
                                                          more, &pitch, NULL, 0, NULL, NULL, &e));
    NO(CL_SUCCESS, cl->clEnqueueUnmapMemObject(queue, m, r, 0, NULL, NULL));
    cl->clFinish(queue);
    cl->clReleaseMemObject(m);
    cl->clReleaseMemObject(b);
}

// Images in the memory of a buffer or of another image: its flags, its context, its kind.
static void images_of_others(void **state)
{
    cl_int e;
    char host[64];
    cl_mem_flags flags;
    const size_t zero[3] = {0}, one[3] = {1, 1, 1};
    const cl_image_format f = {CL_RGBA, CL_UNORM_INT8}, s = {CL_sRGBA, CL_UNORM_INT8};
    cl_mem b = cl->clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS, 64, NULL, &e);
    cl_image_desc d = {
        .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 16, .mem_object = b};
    NO_OBJECT(CL_INVALID_VALUE, cl->clCreateImage(context, CL_MEM_READ_WRITE, &f, &d, NULL, &e));
    NO_OBJECT(CL_INVALID_VALUE, cl->clCreateImage(context, CL_MEM_WRITE_ONLY, &f, &d, NULL, &e));
    NO_OBJECT(CL_INVALID_VALUE,
              cl->clCreateImage(context, CL_MEM_HOST_READ_ONLY, &f, &d, NULL, &e));
    NO_OBJECT(CL_INVALID_VALUE, cl->clCreateImage(context, CL_MEM_COPY_HOST_PTR, &f, &d, host, &e));
    NO_OBJECT(CL_INVALID_HOST_PTR, cl->clCreateImage(context, 0, &f, &d, host, &e));
    cl_mem i = cl->clCreateImage(context, 0, &f, &d, NULL, &e);
    NO(CL_SUCCESS, e);
    NO(CL_SUCCESS, cl->clGetMemObjectInfo(i, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    assert_int_equal(flags, CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS);
    NO(CL_INVALID_OPERATION,
       cl->clEnqueueReadImage(queue, i, CL_TRUE, zero, one, 0, 0, host, 0, NULL, NULL));
    NO(CL_INVALID_MEM_OBJECT,
       cl->clEnqueueCopyImageToBuffer(queue, i, b, zero, one, 16, 0, NULL, NULL)); // its own buffer
    NO(CL_INVALID_MEM_OBJECT,
       cl->clEnqueueCopyBufferToImage(queue, b, i, 16, zero, one, 0, NULL, NULL));
    d.mem_object = (cl_mem)(void *)host;
    NO_OBJECT(CL_INVALID_IMAGE_DESCRIPTOR, cl->clCreateImage(context, 0, &f, &d, NULL, &e));
    d = (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE2D,
                        .image_width = 3,
                        .image_height = 2,
                        .image_row_pitch = 14,
                        .mem_object = b};
    NO_OBJECT(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
              cl->clCreateImage(context, 0, &f, &d, NULL, &e)); // not a multiple of a pixel
    // a view: the same pixels with channels of another order
    d = (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 2};
    cl_mem m = cl->clCreateImage(context, 0, &f, &d, NULL, &e), associated;
    d.mem_object = m;
    NO_OBJECT(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, cl->clCreateImage(context, 0, &f, &d, NULL, &e));
    NO_OBJECT(
        CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
        cl->clCreateImage(context, 0, &(cl_image_format){CL_sBGRA, CL_UNORM_INT8}, &d, NULL, &e));
    NO_OBJECT(
        CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
        cl->clCreateImage(context, 0, &(cl_image_format){CL_RGBA, CL_UNSIGNED_INT8}, &d, NULL, &e));
    d.image_height = 1;
    NO_OBJECT(CL_INVALID_IMAGE_DESCRIPTOR, cl->clCreateImage(context, 0, &s, &d, NULL, &e));
    d.image_height = 2;
    cl_mem view = cl->clCreateImage(context, CL_MEM_READ_ONLY, &s, &d, NULL, &e);
    NO(CL_SUCCESS, e);
    NO(CL_SUCCESS, cl->clGetMemObjectInfo(view, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof associated,
                                          &associated, NULL));
    assert_ptr_equal(associated, m);
    cl_mem *const made[] = {&i, &b, &m, &view};
    for (int k = 0; k < 4; k++) cl->clReleaseMemObject(*made[k]);
    // the calls of OpenCL 1.1 know no descriptor
    NO_OBJECT(CL_INVALID_IMAGE_SIZE, cl->clCreateImage2D(context, 0, &f, 4, 4, 16, NULL, &e));
    NO_OBJECT(CL_INVALID_IMAGE_SIZE,
              cl->clCreateImage2D(context, CL_MEM_COPY_HOST_PTR, &f, 4, 4, 15, host, &e));
    NO_OBJECT(CL_INVALID_IMAGE_SIZE, cl->clCreateImage3D(context, 0, &f, 4, 4, 1, 0, 0, NULL, &e));
}

// Each object of a call belongs to the same context.
static void contexts_apart(void **state)
{
    cl_int e;
    cl_context other = cl->clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    const char *text = "kernel void k(global int *b, read_only image2d_t m, sampler_t s) {}",
               *empty = "";
    cl_program p = fixture_program(text),
               foreign = cl->clCreateProgramWithSource(other, 1, &empty, NULL, &e);
    cl_kernel k = fixture_kernel(p, "k");
    const cl_image_format f = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc flat = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                .image_width = 4,
                                .image_height = 4},
                        line = {.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 4};
    cl_mem b = cl->clCreateBuffer(other, 0, 4, NULL, &e),
           m = cl->clCreateImage(other, 0, &f, &flat, NULL, &e),
           l = cl->clCreateImage(context, 0, &f, &line, NULL, &e);
    cl_sampler s = cl->clCreateSampler(other, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &e);
    NO(CL_INVALID_CONTEXT, cl->clSetKernelArg(k, 0, sizeof b, &b));
    NO(CL_INVALID_CONTEXT, cl->clSetKernelArg(k, 1, sizeof m, &m));
    NO(CL_INVALID_CONTEXT, cl->clSetKernelArg(k, 2, sizeof s, &s));
    NO(CL_INVALID_MEM_OBJECT, cl->clSetKernelArg(k, 1, sizeof l, &l)); // an image of another kind
    cl_program source = cl->clCreateProgramWithSource(context, 1, &empty, NULL, &e);
    NO(CL_INVALID_CONTEXT,
       cl->clCompileProgram(source, 0, NULL, "", 1, &foreign, &(const char *){"f.h"}, NULL, NULL));
    NO(CL_SUCCESS, cl->clCompileProgram(foreign, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    NO_OBJECT(CL_INVALID_CONTEXT,
              cl->clLinkProgram(context, 0, NULL, "", 1, &foreign, NULL, NULL, &e));
    cl->clReleaseKernel(k);
    cl_program const programs[] = {p, foreign, source};
    for (int i = 0; i < 3; i++) cl->clReleaseProgram(programs[i]);
    cl_mem const mems[] = {b, m, l};
    for (int i = 0; i < 3; i++) cl->clReleaseMemObject(mems[i]);
    cl->clReleaseSampler(s);
    cl->clReleaseContext(other);
}

static void CL_CALLBACK nothing(void *args) {}

static void programs_and_native_kernels(void **state)
{
    cl_int e;
    cl_bool answer;
    const char *text = "kernel void k(global int *b) {}";
    cl_program p = cl->clCreateProgramWithSource(context, 1, &text, NULL, &e);
    NO(CL_INVALID_PROGRAM_EXECUTABLE, cl->clGetProgramInfo(p, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT,
                                                           sizeof answer, &answer, NULL));
    NO(CL_SUCCESS, cl->clCompileProgram(p, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    cl_program linked = cl->clLinkProgram(context, 0, NULL, "", 1, &p, NULL, NULL, &e);
    NO(CL_SUCCESS, e);
    NO(CL_INVALID_OPERATION, cl->clBuildProgram(linked, 0, NULL, "", NULL, NULL));
    NO(CL_SUCCESS, cl->clGetProgramInfo(linked, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT,
                                        sizeof answer, &answer, NULL));
    cl->clReleaseProgram(linked);
    cl->clReleaseProgram(p);
    const cl_image_desc line = {.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 4};
    cl_mem m =
        cl->clCreateImage(context, 0, &(cl_image_format){CL_RGBA, CL_UNORM_INT8}, &line, NULL, &e);
    void *args[1] = {NULL};
    NO(CL_INVALID_MEM_OBJECT, cl->clEnqueueNativeKernel(queue, nothing, args, sizeof args, 1, &m,
                                                        &(const void *){args}, 0, NULL, NULL));
    cl->clReleaseMemObject(m);
    char *s = cl->clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0);
    NO_OBJECT(CL_INVALID_BUFFER_SIZE, cl->clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 65, s,
                                                         &e)); // past the allocation's end
    NO_OBJECT(CL_INVALID_BUFFER_SIZE, cl->clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 65, s, &e));
    cl->clSVMFree(context, s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pipes),
                                       cmocka_unit_test(rarer_entry_points),
                                       cmocka_unit_test(wait_lists),
                                       cmocka_unit_test(shared_memory),
                                       cmocka_unit_test(sizes_of_zero),
                                       cmocka_unit_test(maps_for_writing),
                                       cmocka_unit_test(images_of_others),
                                       cmocka_unit_test(contexts_apart),
                                       cmocka_unit_test(programs_and_native_kernels)};
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
