// SPDX-License-Identifier: MIT
// printf with a callback of the context (cl_arm_printf): it gets the whole text of a launch, before
// the launch is complete.
#include "tests/api/fixture.h"

#include <CL/cl_ext.h>
#include <stdio.h>

static char text[1 << 22];
static size_t len, calls;

static void CL_CALLBACK take(const char *buffer, size_t n, size_t complete, void *to)
{
    assert_true(complete);
    assert_true(len + n < sizeof text);
    memcpy((char *)to + len, buffer, n);
    len += n;
    calls++;
}

static void run(cl_command_queue q, cl_program p, const char *name, size_t items)
{
    cl_int e;
    cl_kernel k = cl->clCreateKernel(p, name, &e);
    assert_int_equal(e, CL_SUCCESS);
    cl_event done;
    assert_int_equal(cl->clEnqueueNDRangeKernel(q, k, 1, NULL, &items, NULL, 0, NULL, &done),
                     CL_SUCCESS);
    assert_int_equal(cl->clWaitForEvents(1, &done), CL_SUCCESS);
    cl->clReleaseEvent(done);
    cl->clReleaseKernel(k);
}

static void the_callback_has_the_text_of_its_context_alone(void **state)
{
    cl_int e;
    const char *source =
        "kernel void say() { printf(\"%s %d\\n\", \"item\", (int)get_global_id(0)); }\n"
        "kernel void quiet() { if (get_global_id(0) > 10) printf(\"never\"); }\n"
        "kernel void plain(global int *a) { a[get_global_id(0)] = 1; }\n";
    const cl_context_properties properties[] = {CL_PRINTF_CALLBACK_ARM,
                                                (cl_context_properties)take,
                                                CL_PRINTF_BUFFERSIZE_ARM,
                                                4096,
                                                CL_CONTEXT_PLATFORM,
                                                (cl_context_properties)platform,
                                                0};
    cl_context_properties said[8];
    size_t n;
    cl_context c = cl->clCreateContext(properties, 1, &device, NULL, text, &e);
    assert_int_equal(e, CL_SUCCESS);
    assert_int_equal(cl->clGetContextInfo(c, CL_CONTEXT_PROPERTIES, sizeof said, said, &n),
                     CL_SUCCESS);
    assert_int_equal(n, sizeof properties);
    assert_memory_equal(said, properties, n);
    cl_command_queue q = cl->clCreateCommandQueue(c, device, 0, &e);
    cl_program p = cl->clCreateProgramWithSource(c, 1, &source, NULL, &e);
    assert_int_equal(cl->clBuildProgram(p, 1, &device, "", NULL, NULL), CL_SUCCESS);
    run(q, p, "say", 3);
    assert_string_equal(text, "item 0\nitem 1\nitem 2\n");
    assert_int_equal(calls, 1);
    run(q, p, "quiet", 4);
    assert_int_equal(calls, 1);
    len = 0;
    run(q, p, "say", 200000); // more than any buffer of printf's
    size_t want = 0;
    for (unsigned i = 0; i < 200000; i++) want += (size_t)snprintf(NULL, 0, "item %u\n", i);
    assert_int_equal(len, want);
    const size_t all = calls;
    cl_program other = fixture_program(source); // of a context without one
    run(queue, other, "say", 2);
    assert_int_equal(calls, all);
    cl->clReleaseProgram(other);
    cl->clReleaseProgram(p);
    cl->clReleaseCommandQueue(q);
    cl->clReleaseContext(c);
}

static void what_a_context_takes(void **state)
{
    cl_int e;
    char names[2000];
    const cl_context_properties none[] = {CL_PRINTF_CALLBACK_ARM, 0, 0},
                                twice[] = {CL_PRINTF_CALLBACK_ARM, (cl_context_properties)take,
                                           CL_PRINTF_CALLBACK_ARM, 0, 0};
    assert_int_equal(cl->clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof names, names, NULL),
                     CL_SUCCESS);
    assert_non_null(strstr(names, "cl_arm_printf"));
    cl_context c = cl->clCreateContext(none, 1, &device, NULL, NULL, &e);
    assert_int_equal(e, CL_SUCCESS);
    cl->clReleaseContext(c);
    NO_OBJECT(CL_INVALID_VALUE,
              cl->clCreateContext(none, 1, &device, NULL, text, &e)); // data without a callback
    NO_OBJECT(CL_INVALID_PROPERTY, cl->clCreateContext(twice, 1, &device, NULL, text, &e));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_callback_has_the_text_of_its_context_alone),
        cmocka_unit_test(what_a_context_takes),
    };
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
