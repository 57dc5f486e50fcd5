// SPDX-License-Identifier: MIT
// Every entry point refuses bad arguments, each with the code that the specification names.
#include "tests/api/fixture.h"

#include <CL/cl_ext.h>
#include <stdio.h>

static void no_slot_is_null(void **state)
{
    const void *const *slots = (const void *const *)cl;
    for (size_t i = 0; i < sizeof *cl / sizeof *slots; i++) assert_non_null(slots[i]);
    assert_non_null(cl->clGetExtensionFunctionAddress("clIcdGetPlatformIDsKHR"));
    assert_null(cl->clGetExtensionFunctionAddress("clNothing"));
    assert_null(cl->clGetExtensionFunctionAddressForPlatform(NULL, "clIcdGetPlatformIDsKHR"));
}

static void garbage_handles(void **state)
{
    char junk[512] = {0};
    cl_int e;
    cl_mem released = fixture_buffer(16);
    assert_int_equal(cl->clReleaseMemObject(released), CL_SUCCESS);
    void *const bad[] = {NULL,     junk,   (void *)1, (void *)0xdeadbeefdeadbeef, (char *)queue + 8,
                         released, context};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        void *h = bad[i];
        if (h != (void *)context) {
            NO(CL_INVALID_CONTEXT, cl->clRetainContext(h));
            NO(CL_INVALID_CONTEXT, cl->clReleaseContext(h));
            NO(CL_INVALID_CONTEXT, cl->clGetContextInfo(h, CL_CONTEXT_DEVICES, 0, NULL, NULL));
            NO_OBJECT(CL_INVALID_CONTEXT, cl->clCreateBuffer(h, 0, 1, NULL, &e));
            NO_OBJECT(CL_INVALID_CONTEXT, cl->clCreateCommandQueue(h, device, 0, &e));
            NO_OBJECT(CL_INVALID_CONTEXT, cl->clCreateUserEvent(h, &e));
            NO_OBJECT(CL_INVALID_CONTEXT,
                      cl->clCreateProgramWithSource(h, 1, &(const char *){""}, NULL, &e));
            NO_OBJECT(CL_INVALID_CONTEXT, cl->clCreateImage(h, 0, NULL, NULL, NULL, &e));
            NO_OBJECT(CL_INVALID_CONTEXT, cl->clCreateSampler(h, 0, 0, 0, &e));
        }
        NO(CL_INVALID_COMMAND_QUEUE, cl->clRetainCommandQueue(h));
        NO(CL_INVALID_COMMAND_QUEUE, cl->clReleaseCommandQueue(h));
        NO(CL_INVALID_COMMAND_QUEUE, cl->clFlush(h));
        NO(CL_INVALID_COMMAND_QUEUE, cl->clFinish(h));
        NO(CL_INVALID_COMMAND_QUEUE, cl->clEnqueueMarkerWithWaitList(h, 0, NULL, NULL));
        NO(CL_INVALID_COMMAND_QUEUE, cl->clEnqueueBarrierWithWaitList(h, 0, NULL, NULL));
        NO(CL_INVALID_COMMAND_QUEUE,
           cl->clEnqueueReadImage(h, NULL, 0, NULL, NULL, 0, 0, NULL, 0, NULL, NULL));
        NO(CL_INVALID_COMMAND_QUEUE, cl->clEnqueueSVMUnmap(h, NULL, 0, NULL, NULL));
        NO(CL_INVALID_MEM_OBJECT, cl->clRetainMemObject(h));
        NO(CL_INVALID_MEM_OBJECT, cl->clReleaseMemObject(h));
        NO(CL_INVALID_MEM_OBJECT, cl->clGetMemObjectInfo(h, CL_MEM_SIZE, 0, NULL, NULL));
        NO(CL_INVALID_MEM_OBJECT,
           cl->clEnqueueReadBuffer(queue, h, CL_TRUE, 0, 1, junk, 0, NULL, NULL));
        NO_OBJECT(CL_INVALID_MEM_OBJECT,
                  cl->clCreateSubBuffer(h, 0, CL_BUFFER_CREATE_TYPE_REGION, junk, &e));
        NO(CL_INVALID_PROGRAM, cl->clRetainProgram(h));
        NO(CL_INVALID_PROGRAM, cl->clReleaseProgram(h));
        NO(CL_INVALID_PROGRAM, cl->clBuildProgram(h, 0, NULL, NULL, NULL, NULL));
        NO(CL_INVALID_PROGRAM, cl->clGetProgramInfo(h, CL_PROGRAM_SOURCE, 0, NULL, NULL));
        NO_OBJECT(CL_INVALID_PROGRAM, cl->clCreateKernel(h, "k", &e));
        NO(CL_INVALID_KERNEL, cl->clRetainKernel(h));
        NO(CL_INVALID_KERNEL, cl->clReleaseKernel(h));
        NO(CL_INVALID_KERNEL, cl->clSetKernelArg(h, 0, 4, junk));
        NO(CL_INVALID_KERNEL,
           cl->clEnqueueNDRangeKernel(queue, h, 1, NULL, &(size_t){1}, NULL, 0, NULL, NULL));
        NO(CL_INVALID_EVENT, cl->clRetainEvent(h));
        NO(CL_INVALID_EVENT, cl->clReleaseEvent(h));
        NO(CL_INVALID_EVENT, cl->clWaitForEvents(1, (cl_event *)&h));
        NO(CL_INVALID_EVENT, cl->clSetUserEventStatus(h, CL_COMPLETE));
        NO(CL_INVALID_EVENT_WAIT_LIST,
           cl->clEnqueueMarkerWithWaitList(queue, 1, (cl_event *)&h, NULL));
        NO(CL_INVALID_DEVICE, cl->clGetDeviceInfo(h, CL_DEVICE_NAME, 0, NULL, NULL));
        if (h)
            NO(CL_INVALID_PLATFORM,
               cl->clGetDeviceIDs(h, CL_DEVICE_TYPE_ALL, 1, &(cl_device_id){0}, NULL));
    }
}

static void platform_and_device(void **state)
{
    cl_uint n;
    cl_device_id d;
    char text[256];
    size_t size;
    NO(CL_INVALID_VALUE, cl->clGetPlatformIDs(0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clGetPlatformIDs(0, &platform, NULL));
    NO(CL_INVALID_VALUE, cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, &d, NULL));
    NO(CL_INVALID_DEVICE_TYPE, cl->clGetDeviceIDs(platform, 0, 1, &d, NULL));
    NO(CL_INVALID_DEVICE_TYPE, cl->clGetDeviceIDs(platform, 1 << 20, 1, &d, NULL));
    NO(CL_INVALID_VALUE, cl->clGetDeviceInfo(device, 0x7777, sizeof text, text, NULL));
    NO(CL_INVALID_VALUE, cl->clGetDeviceInfo(device, CL_DEVICE_NAME, 2, text, NULL));
    const cl_device_type types[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_CPU,
                                    CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_ACCELERATOR,
                                    CL_DEVICE_TYPE_DEFAULT, CL_DEVICE_TYPE_ALL};
    NO(CL_DEVICE_NOT_FOUND, cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ACCELERATOR, 1, &d, &n));
    assert_int_equal(n, 0);
    cl_int e;
    NO_OBJECT(CL_DEVICE_NOT_FOUND,
              cl->clCreateContextFromType(NULL, CL_DEVICE_TYPE_ACCELERATOR, NULL, NULL, &e));
    for (size_t i = 0; i < 2; i++) { // one type asked for: that of the device
        cl_device_type type;
        assert_int_equal(cl->clGetDeviceIDs(platform, types[i], 1, &d, &n), CL_SUCCESS);
        assert_int_equal(cl->clGetDeviceInfo(d, CL_DEVICE_TYPE, sizeof type, &type, NULL),
                         CL_SUCCESS);
        assert_int_equal(type, types[i]);
    }
    cl_mem hinted = cl->clCreateBuffer(context, CL_MEM_READ_WRITE | 1 << 6, 64, NULL,
                                       &e); // CL_MEM_USE_PERSISTENT_MEM_AMD
    assert_int_equal(e, CL_SUCCESS);
    cl->clReleaseMemObject(hinted);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        assert_int_equal(cl->clGetDeviceIDs(platform, types[i], 1, &d, &n), CL_SUCCESS);
        assert_int_equal(n, 1);
    }
    cl_device_type t;
    assert_int_equal(cl->clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof t, &t, &size), CL_SUCCESS);
    assert_int_equal(size, sizeof t);
    assert_int_equal(t & (t - 1), 0);                                 // exactly one
    static const cl_bitfield atomics[] = {0x70007, 0x70007, 0x70007}; // of float, double and half
    for (cl_device_info i = 0; i < 3; i++) { // CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT and on
        cl_bitfield got;
        assert_int_equal(cl->clGetDeviceInfo(device, 0x4231 + i, sizeof got, &got, &size),
                         CL_SUCCESS);
        assert_int_equal(size, sizeof got);
        assert_int_equal(got, atomics[i]);
    }
    NO(CL_INVALID_VALUE, cl->clCreateSubDevices(device, NULL, 0, NULL, &n));
}

static void queue_hints(void **state)
{
    const cl_queue_properties hints[] = {CL_QUEUE_PRIORITY_KHR,
                                         CL_QUEUE_PRIORITY_LOW_KHR,
                                         CL_QUEUE_PROPERTIES,
                                         CL_QUEUE_PROFILING_ENABLE,
                                         CL_QUEUE_THROTTLE_KHR,
                                         CL_QUEUE_THROTTLE_HIGH_KHR,
                                         0};
    cl_queue_properties got[8];
    cl_command_queue_properties flags = 0;
    cl_int e;
    cl_command_queue q = cl->clCreateCommandQueueWithProperties(context, device, hints, &e);
    assert_int_equal(e, CL_SUCCESS);
    e = cl->clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES_ARRAY, sizeof got, got, NULL);
    assert_int_equal(e, CL_SUCCESS);
    assert_memory_equal(got, hints, sizeof hints);
    e = cl->clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES, sizeof flags, &flags, NULL);
    assert_int_equal(e, CL_SUCCESS);
    assert_int_equal(flags, CL_QUEUE_PROFILING_ENABLE);
    assert_int_equal(cl->clReleaseCommandQueue(q), CL_SUCCESS);
}

static void creation(void **state)
{
    cl_int e;
    char host[64];
    cl_device_id none = NULL;
    cl_ulong max;
    cl->clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof max, &max, NULL);
    NO_OBJECT(CL_INVALID_VALUE, cl->clCreateContext(NULL, 0, NULL, NULL, NULL, &e));
    NO_OBJECT(CL_INVALID_DEVICE, cl->clCreateContext(NULL, 1, &none, NULL, NULL, &e));
    NO_OBJECT(CL_INVALID_VALUE, cl->clCreateContext(NULL, 1, &device, NULL, host, &e));
    const cl_context_properties unknown[] = {0x7777, 1, 0}, foreign[] = {CL_CONTEXT_PLATFORM, 5, 0},
                                twice[] = {CL_CONTEXT_PLATFORM, (intptr_t)platform,
                                           CL_CONTEXT_PLATFORM, (intptr_t)platform, 0};
    NO_OBJECT(CL_INVALID_PROPERTY, cl->clCreateContext(unknown, 1, &device, NULL, NULL, &e));
    NO_OBJECT(CL_INVALID_PROPERTY, cl->clCreateContext(twice, 1, &device, NULL, NULL, &e));
    NO_OBJECT(CL_INVALID_PLATFORM, cl->clCreateContext(foreign, 1, &device, NULL, NULL, &e));
    NO_OBJECT(CL_INVALID_DEVICE_TYPE, cl->clCreateContextFromType(NULL, 0, NULL, NULL, &e));
    NO_OBJECT(CL_INVALID_VALUE, cl->clCreateCommandQueue(context, device, 1 << 20, &e));
    NO_OBJECT(CL_INVALID_DEVICE, cl->clCreateCommandQueue(context, NULL, 0, &e));
    const cl_queue_properties on_device[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0},
                              host_size[] = {CL_QUEUE_SIZE, 1024, 0}, odd[] = {0x77, 1, 0},
                              priority[] = {CL_QUEUE_PRIORITY_KHR, 3, 0},
                              throttle[] = {CL_QUEUE_THROTTLE_KHR, 0, 0};
    NO_OBJECT(CL_INVALID_VALUE, // it must be out of order
              cl->clCreateCommandQueueWithProperties(context, device, on_device, &e));
    NO_OBJECT(CL_INVALID_VALUE,
              cl->clCreateCommandQueueWithProperties(context, device, host_size, &e));
    NO_OBJECT(CL_INVALID_VALUE, cl->clCreateCommandQueueWithProperties(context, device, odd, &e));
    NO_OBJECT(CL_INVALID_VALUE,
              cl->clCreateCommandQueueWithProperties(context, device, priority, &e));
    NO_OBJECT(CL_INVALID_VALUE,
              cl->clCreateCommandQueueWithProperties(context, device, throttle, &e));
    NO_OBJECT(CL_INVALID_BUFFER_SIZE, cl->clCreateBuffer(context, 0, 0, NULL, &e));
    NO_OBJECT(CL_INVALID_BUFFER_SIZE, cl->clCreateBuffer(context, 0, max + 1, NULL, &e));
    NO_OBJECT(CL_INVALID_BUFFER_SIZE, cl->clCreateBuffer(context, 0, SIZE_MAX, NULL, &e));
    NO_OBJECT(CL_INVALID_VALUE,
              cl->clCreateBuffer(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 4, NULL, &e));
    NO_OBJECT(CL_INVALID_VALUE, cl->clCreateBuffer(context, 1ull << 40, 4, NULL, &e));
    NO_OBJECT(CL_INVALID_VALUE,
              cl->clCreateBuffer(context, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 4, host, &e));
    NO_OBJECT(CL_INVALID_HOST_PTR, cl->clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4, NULL, &e));
    NO_OBJECT(CL_INVALID_HOST_PTR, cl->clCreateBuffer(context, 0, 4, host, &e));
    NO_OBJECT(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
              cl->clCreateImage(context, 0, NULL, NULL, NULL, &e));
    NO_OBJECT(CL_INVALID_PIPE_SIZE, cl->clCreatePipe(context, 0, 0, 4, NULL, &e));
    NO_OBJECT(CL_INVALID_OPERATION, cl->clCreateProgramWithIL(context, "x", 1, &e));
    NO_OBJECT(CL_INVALID_VALUE, cl->clCreateProgramWithSource(context, 0, NULL, NULL, &e));
    NO_OBJECT(CL_INVALID_VALUE,
              cl->clCreateProgramWithSource(context, 1, &(const char *){NULL}, NULL, &e));
    NO_OBJECT(CL_INVALID_VALUE,
              cl->clCreateProgramWithBuiltInKernels(context, 1, &device, "x", &e));
    cl_int status = 1;
    NO_OBJECT(CL_INVALID_BINARY,
              cl->clCreateProgramWithBinary(
                  context, 1, &device, &(size_t){5},
                  &(const unsigned char *){(const unsigned char *)"hello"}, &status, &e));
    assert_int_equal(status, CL_INVALID_BINARY);
}

static void transfers(void **state)
{
    char host[64] = {0};
    cl_int e;
    cl_mem m = fixture_buffer(64),
           w = cl->clCreateBuffer(context, CL_MEM_HOST_WRITE_ONLY, 64, NULL, &e),
           r = cl->clCreateBuffer(context, CL_MEM_HOST_READ_ONLY, 64, NULL, &e),
           none = cl->clCreateBuffer(context, CL_MEM_HOST_NO_ACCESS, 64, NULL, &e);
    NO(CL_INVALID_VALUE, cl->clEnqueueReadBuffer(queue, m, CL_TRUE, 60, 5, host, 0, NULL, NULL));
    NO(CL_INVALID_VALUE,
       cl->clEnqueueReadBuffer(queue, m, CL_TRUE, 1, SIZE_MAX, host, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 4, NULL, 0, NULL, NULL));
    NO(CL_INVALID_OPERATION, cl->clEnqueueReadBuffer(queue, w, CL_TRUE, 0, 4, host, 0, NULL, NULL));
    NO(CL_INVALID_OPERATION,
       cl->clEnqueueReadBuffer(queue, none, CL_TRUE, 0, 4, host, 0, NULL, NULL));
    NO(CL_INVALID_OPERATION,
       cl->clEnqueueWriteBuffer(queue, r, CL_TRUE, 0, 4, host, 0, NULL, NULL));
    NO(CL_INVALID_EVENT_WAIT_LIST,
       cl->clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, 4, host, 1, NULL, NULL));
    NO(CL_MEM_COPY_OVERLAP, cl->clEnqueueCopyBuffer(queue, m, m, 0, 4, 8, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clEnqueueCopyBuffer(queue, m, w, 0, 60, 8, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clEnqueueFillBuffer(queue, m, host, 3, 0, 6, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clEnqueueFillBuffer(queue, m, host, 4, 2, 8, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clEnqueueFillBuffer(queue, m, NULL, 4, 0, 8, 0, NULL, NULL));
    NO_OBJECT(CL_INVALID_VALUE,
              cl->clEnqueueMapBuffer(queue, m, 1, CL_MAP_READ, 32, 33, 0, NULL, NULL, &e));
    NO_OBJECT(CL_INVALID_VALUE,
              cl->clEnqueueMapBuffer(queue, m, 1, 1 << 9, 0, 3, 0, NULL, NULL, &e));
    NO_OBJECT(CL_INVALID_OPERATION,
              cl->clEnqueueMapBuffer(queue, w, 1, CL_MAP_READ, 0, 3, 0, NULL, NULL, &e));
    NO(CL_INVALID_VALUE, cl->clEnqueueUnmapMemObject(queue, m, host, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clEnqueueMigrateMemObjects(queue, 0, NULL, 0, 0, NULL, NULL));
    size_t zero[3] = {0}, box[3] = {4, 2, 2}, flat[3] = {4, 0, 1}, huge[3] = {4, SIZE_MAX / 2, 4};
    NO(CL_INVALID_VALUE,
       cl->clEnqueueReadBufferRect(queue, m, 1, zero, zero, flat, 0, 0, 0, 0, host, 0, NULL, NULL));
    NO(CL_INVALID_VALUE,
       cl->clEnqueueReadBufferRect(queue, m, 1, zero, zero, huge, 0, 0, 0, 0, host, 0, NULL, NULL));
    NO(CL_INVALID_VALUE,
       cl->clEnqueueReadBufferRect(queue, m, 1, zero, zero, box, 3, 0, 0, 0, host, 0, NULL, NULL));
    NO(CL_INVALID_VALUE,
       cl->clEnqueueReadBufferRect(queue, m, 1, zero, zero, box, 8, 12, 0, 0, host, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clEnqueueWriteBufferRect(queue, m, 1, zero, zero, box, 8, 64, 0, 0,
                                                      host, 0, NULL, NULL));
    NO(CL_MEM_COPY_OVERLAP,
       cl->clEnqueueCopyBufferRect(queue, m, m, zero, zero, box, 0, 0, 0, 0, 0, NULL, NULL));
    const cl_buffer_region out = {0, 65}, empty = {0, 0}, crooked = {4, 8};
    NO_OBJECT(CL_INVALID_VALUE,
              cl->clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &out, &e));
    NO_OBJECT(CL_INVALID_BUFFER_SIZE,
              cl->clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &empty, &e));
    NO_OBJECT(CL_MISALIGNED_SUB_BUFFER_OFFSET,
              cl->clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &crooked, &e));
    NO_OBJECT(CL_INVALID_VALUE, cl->clCreateSubBuffer(m, CL_MEM_USE_HOST_PTR,
                                                      CL_BUFFER_CREATE_TYPE_REGION, &out, &e));
    cl_context other = cl->clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    cl_command_queue q = cl->clCreateCommandQueue(other, device, 0, &e);
    NO(CL_INVALID_CONTEXT, cl->clEnqueueReadBuffer(q, m, CL_TRUE, 0, 4, host, 0, NULL, NULL));
    cl->clReleaseCommandQueue(q);
    cl->clReleaseContext(other);
    cl_mem all[] = {m, w, r, none};
    for (size_t i = 0; i < 4; i++) assert_int_equal(cl->clReleaseMemObject(all[i]), CL_SUCCESS);
}

static void launches(void **state)
{
    cl_int e;
    const size_t g[3] = {64, 64, 64}, l5[3] = {5, 1, 1}, big[3] = {8192, 1, 1},
                 wide[3] = {64, 64, 2}, zero[3] = {0, 1, 1}, far[1] = {SIZE_MAX - 3};
    cl_program p = fixture_program(
        "kernel void k(global int *p, int v, local int *s) { p[get_global_id(0)] = v; }\n"
        "kernel __attribute__((reqd_work_group_size(8, 2, 1))) void r() { }\n");
    cl_kernel k = fixture_kernel(p, "k"), r = fixture_kernel(p, "r");
    cl_mem m = fixture_buffer(64 * 4);
    int v = 3;
    NO_OBJECT(CL_INVALID_KERNEL_NAME, cl->clCreateKernel(p, "none", &e));
    NO_OBJECT(CL_INVALID_VALUE, cl->clCreateKernel(p, NULL, &e));
    NO(CL_INVALID_OPERATION, cl->clBuildProgram(p, 1, &device, "", NULL, NULL));
    NO(CL_INVALID_KERNEL_ARGS,
       cl->clEnqueueNDRangeKernel(queue, k, 1, NULL, g, NULL, 0, NULL, NULL));
    NO(CL_INVALID_ARG_INDEX, cl->clSetKernelArg(k, 3, 4, &v));
    NO(CL_INVALID_ARG_SIZE, cl->clSetKernelArg(k, 0, 4, &m));
    NO(CL_INVALID_ARG_SIZE, cl->clSetKernelArg(k, 1, 8, &v));
    NO(CL_INVALID_ARG_VALUE, cl->clSetKernelArg(k, 1, 4, NULL));
    NO(CL_INVALID_ARG_VALUE, cl->clSetKernelArg(k, 2, 4, &v));
    NO(CL_INVALID_ARG_SIZE, cl->clSetKernelArg(k, 2, 0, NULL));
    NO(CL_INVALID_MEM_OBJECT, cl->clSetKernelArg(k, 0, sizeof m, &(void *){queue}));
    assert_int_equal(cl->clSetKernelArg(k, 0, sizeof m, &m), CL_SUCCESS);
    assert_int_equal(cl->clSetKernelArg(k, 1, sizeof v, &v), CL_SUCCESS);
    NO(CL_INVALID_KERNEL_ARGS,
       cl->clEnqueueNDRangeKernel(queue, k, 1, NULL, g, NULL, 0, NULL, NULL));
    assert_int_equal(cl->clSetKernelArg(k, 2, 64, NULL), CL_SUCCESS);
    NO(CL_INVALID_WORK_DIMENSION,
       cl->clEnqueueNDRangeKernel(queue, k, 0, NULL, g, NULL, 0, NULL, NULL));
    NO(CL_INVALID_WORK_DIMENSION,
       cl->clEnqueueNDRangeKernel(queue, k, 4, NULL, g, NULL, 0, NULL, NULL));
    assert_int_equal(cl->clEnqueueNDRangeKernel(queue, k, 1, NULL, NULL, NULL, 0, NULL, NULL),
                     CL_SUCCESS); // nothing to run
    NO(CL_INVALID_GLOBAL_OFFSET,
       cl->clEnqueueNDRangeKernel(queue, k, 1, far, g, NULL, 0, NULL, NULL));
    NO(CL_INVALID_WORK_GROUP_SIZE,
       cl->clEnqueueNDRangeKernel(queue, k, 1, NULL, g, l5, 0, NULL, NULL));
    NO(CL_INVALID_WORK_GROUP_SIZE,
       cl->clEnqueueNDRangeKernel(queue, k, 1, NULL, g, zero, 0, NULL, NULL));
    NO(CL_INVALID_WORK_GROUP_SIZE,
       cl->clEnqueueNDRangeKernel(queue, k, 3, NULL, g, wide, 0, NULL, NULL));
    NO(CL_INVALID_WORK_ITEM_SIZE,
       cl->clEnqueueNDRangeKernel(queue, k, 1, NULL, big, big, 0, NULL, NULL));
    NO(CL_INVALID_WORK_GROUP_SIZE,
       cl->clEnqueueNDRangeKernel(queue, r, 2, NULL, g, g, 0, NULL, NULL));
    assert_int_equal(cl->clEnqueueNDRangeKernel(queue, r, 2, NULL, g, NULL, 0, NULL, NULL),
                     CL_SUCCESS); // as the kernel says
    assert_int_equal(cl->clSetKernelArg(k, 2, 1 << 20, NULL), CL_SUCCESS);
    NO(CL_OUT_OF_RESOURCES, cl->clEnqueueNDRangeKernel(queue, k, 1, NULL, g, NULL, 0, NULL, NULL));
    NO(CL_INVALID_VALUE,
       cl->clEnqueueNativeKernel(queue, NULL, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, cl->clGetKernelWorkGroupInfo(k, device, 0x7777, 0, NULL, NULL));
    NO(CL_INVALID_ARG_INDEX, cl->clGetKernelArgInfo(k, 9, CL_KERNEL_ARG_NAME, 0, NULL, NULL));
    // the size that a launch without one would have
    cl_int (*suggest)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                      size_t *) =
        cl->clGetExtensionFunctionAddressForPlatform(platform,
                                                     "clGetKernelSuggestedLocalWorkSizeKHR");
    size_t size[3] = {0};
    NO(CL_OUT_OF_RESOURCES, suggest(queue, k, 1, NULL, g, size));
    assert_int_equal(suggest(queue, r, 3, NULL, g, size), CL_SUCCESS);
    assert_true(size[0] == 8 && size[1] == 2 && size[2] == 1);
    assert_int_equal(cl->clSetKernelArg(k, 2, 64, NULL), CL_SUCCESS);
    assert_int_equal(suggest(queue, k, 2, NULL, g, size), CL_SUCCESS);
    assert_true(size[0] && size[1] && 64 % size[0] == 0 && 64 % size[1] == 0);
    NO(CL_INVALID_COMMAND_QUEUE, suggest(NULL, k, 1, NULL, g, size));
    NO(CL_INVALID_KERNEL, suggest(queue, NULL, 1, NULL, g, size));
    NO(CL_INVALID_VALUE, suggest(queue, k, 1, NULL, g, NULL));
    NO(CL_INVALID_WORK_DIMENSION, suggest(queue, k, 4, NULL, g, size));
    NO(CL_INVALID_GLOBAL_WORK_SIZE, suggest(queue, k, 1, NULL, NULL, size));
    NO(CL_INVALID_GLOBAL_WORK_SIZE, suggest(queue, k, 1, NULL, (size_t[]){0}, size));
    NO(CL_INVALID_GLOBAL_OFFSET, suggest(queue, k, 1, far, g, size));
    const char *const newer[] = {"-cl-std=CL1.2", "-cl-std=CL2.0", "-cl-std=CL3.0",
                                 "-cl-std=CL3.0 -cl-uniform-work-group-size"};
    for (unsigned i = 0; i < 4; i++) {
        const char *text =
            "kernel void u(global int *p) { p[get_global_id(0)] = get_local_size(0); }";
        cl_program pu = cl->clCreateProgramWithSource(context, 1, &text, NULL, &e);
        assert_int_equal(cl->clBuildProgram(pu, 1, &device, newer[i], NULL, NULL), CL_SUCCESS);
        cl_kernel u = fixture_kernel(pu, "u");
        NO(CL_KERNEL_ARG_INFO_NOT_AVAILABLE,
           cl->clGetKernelArgInfo(u, 0, CL_KERNEL_ARG_NAME, 0, NULL, NULL));
        assert_int_equal(cl->clSetKernelArg(u, 0, sizeof m, &m), CL_SUCCESS);
        if (i == 1 || i == 2) {
            int sizes[64];
            assert_int_equal(cl->clEnqueueNDRangeKernel(queue, u, 1, NULL, g, l5, 0, NULL, NULL),
                             CL_SUCCESS);
            assert_int_equal(
                cl->clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof sizes, sizes, 0, NULL, NULL),
                CL_SUCCESS);
            for (int j = 0; j < 64; j++) assert_int_equal(sizes[j], j < 60 ? 5 : 4);
        } else {
            NO(CL_INVALID_WORK_GROUP_SIZE,
               cl->clEnqueueNDRangeKernel(queue, u, 1, NULL, g, l5, 0, NULL, NULL));
        }
        cl->clReleaseKernel(u);
        cl->clReleaseProgram(pu);
    }
    cl_bool uneven = CL_FALSE;
    cl->clGetDeviceInfo(device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, sizeof uneven, &uneven,
                        NULL);
    assert_int_equal(uneven, CL_TRUE);
    cl->clReleaseKernel(k);
    cl->clReleaseKernel(r);
    cl->clReleaseMemObject(m);
    cl->clReleaseProgram(p);
}

static char words[512];
static void CL_CALLBACK note(const char *text, const void *info, size_t n, void *data)
{
    snprintf(words, sizeof words, "%s", text);
}

static void errors_have_messages(void **state)
{
    cl_int e;
    cl_context c = cl->clCreateContext(NULL, 1, &device, note, NULL, &e);
    NO_OBJECT(CL_INVALID_BUFFER_SIZE, cl->clCreateBuffer(c, 0, 0, NULL, &e));
    assert_string_equal(words, "clCreateBuffer: CL_INVALID_BUFFER_SIZE: the size is 0");
    *words = 0;
    assert_null(cl->clCreateBuffer(c, 0, 0, NULL, NULL)); // also to who does not want the code
    assert_string_equal(words, "clCreateBuffer: CL_INVALID_BUFFER_SIZE: the size is 0");
    cl->clReleaseContext(c);
}

static void more_releases_than_references(void **state)
{
    cl_mem m = fixture_buffer(256);
    cl_int e;
    const cl_buffer_region r = {0, 128};
    cl_mem sub = cl->clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &r, &e);
    assert_int_equal(cl->clReleaseMemObject(m), CL_SUCCESS);
    NO(CL_INVALID_MEM_OBJECT,
       cl->clReleaseMemObject(m)); // kept by its part, but not the app's any more
    assert_int_equal(cl->clReleaseMemObject(sub), CL_SUCCESS);
    NO(CL_INVALID_MEM_OBJECT, cl->clReleaseMemObject(sub));
}

int main(void)
{
    setenv("CLDBG_LLVM_SPIRV", "/nonexistent/llvm-spirv", 1); // as where it is not installed
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_slot_is_null),
        cmocka_unit_test(garbage_handles),
        cmocka_unit_test(platform_and_device),
        cmocka_unit_test(queue_hints),
        cmocka_unit_test(creation),
        cmocka_unit_test(transfers),
        cmocka_unit_test(launches),
        cmocka_unit_test(errors_have_messages),
        cmocka_unit_test(more_releases_than_references),
    };
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
