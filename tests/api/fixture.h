// SPDX-License-Identifier: MIT
#ifndef TESTS_API_FIXTURE_H
#define TESTS_API_FIXTURE_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/dispatch.h"

/** What every test of the API starts from. cl-> calls the driver. */
static const struct _cl_icd_dispatch *cl;
static cl_platform_id platform;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue, loose; // in order with profile, out of order

static int fixture_setup(void **state)
{
    cl_int e;
    cl = cldbg_dispatch();
    assert_int_equal(cl->clGetPlatformIDs(1, &platform, NULL), CL_SUCCESS);
    assert_int_equal(cl->clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL),
                     CL_SUCCESS);
    context = cl->clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    assert_int_equal(e, CL_SUCCESS);
    queue = cl->clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &e);
    assert_int_equal(e, CL_SUCCESS);
    loose = cl->clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &e);
    assert_int_equal(e, CL_SUCCESS);
    return 0;
}

static int fixture_teardown(void **state)
{
    cl->clReleaseCommandQueue(queue);
    cl->clReleaseCommandQueue(loose);
    cl->clReleaseContext(context);
    return 0;
}

// A call that is refused.
#define NO(code, call) assert_int_equal((call), (code))
/** For calls that give an object and set `e`. */
#define NO_OBJECT(code, call)                                                                      \
    do {                                                                                           \
        e = 1;                                                                                     \
        assert_null(call);                                                                         \
        assert_int_equal(e, (code));                                                               \
    } while (0)

static inline cl_mem fixture_buffer(size_t size)
{
    cl_int e;
    cl_mem m = cl->clCreateBuffer(context, CL_MEM_READ_WRITE, size, NULL, &e);
    assert_int_equal(e, CL_SUCCESS);
    return m;
}

static inline cl_program fixture_program(const char *source)
{
    cl_int e;
    cl_program p = cl->clCreateProgramWithSource(context, 1, &source, NULL, &e);
    assert_int_equal(e, CL_SUCCESS);
    assert_int_equal(cl->clBuildProgram(p, 1, &device, "-cl-kernel-arg-info", NULL, NULL),
                     CL_SUCCESS);
    return p;
}

static inline cl_kernel fixture_kernel(cl_program p, const char *name)
{
    cl_int e;
    cl_kernel k = cl->clCreateKernel(p, name, &e);
    assert_int_equal(e, CL_SUCCESS);
    return k;
}
#endif
