// SPDX-License-Identifier: MIT
// Device-side enqueue from the host's side: queues on the device, queries, arguments, and that a
// launch is complete when its children are.
#include "tests/api/fixture.h"

static const char source[] =
    "kernel void k(global int *p, queue_t q) {\n"
    "    uint i = get_global_id(0);\n"
    "    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ p[i]++; });\n"
    "    p[i] += 10;\n"
    "}\n"
    "kernel void plain(global int *p) { p[get_global_id(0)] *= 2; }\n"
    "kernel void by_default(global int *p) {\n"
    "    p[0] = enqueue_kernel(get_default_queue(), 0, ndrange_1D(1), ^{ p[1] = 7; });\n"
    "}\n"
    "kernel void fill(global int *p, queue_t q) {\n"
    "    int n = 0;\n"
    "    for (int i = 0; i < 64; i++)\n"
    "        n += !enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ p[1] += 1; });\n"
    "    p[0] = n;\n"
    "}\n";

static cl_command_queue device_queue(cl_command_queue_properties more, cl_uint size)
{
    const cl_queue_properties properties[] = {
        CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | more,
        size ? CL_QUEUE_SIZE : 0, size, 0};
    cl_int e;
    cl_command_queue q = cl->clCreateCommandQueueWithProperties(context, device, properties, &e);
    assert_int_equal(e, CL_SUCCESS);
    return q;
}

static cl_program program(void)
{
    cl_int e;
    cl_program p = cl->clCreateProgramWithSource(context, 1, &(const char *){source}, NULL, &e);
    assert_int_equal(cl->clBuildProgram(p, 1, &device, "-cl-std=CL3.0", NULL, NULL), CL_SUCCESS);
    return p;
}

static void queries(void **state)
{
    cl_device_device_enqueue_capabilities can;
    cl_uint number;
    cl_command_queue other;
    assert_int_equal(
        cl->clGetDeviceInfo(device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof can, &can, NULL),
        CL_SUCCESS);
    assert_int_equal(can, CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT);
    cl_command_queue first = device_queue(CL_QUEUE_ON_DEVICE_DEFAULT, 0),
                     again = device_queue(CL_QUEUE_ON_DEVICE_DEFAULT, 0),
                     small = device_queue(0, 2048);
    assert_ptr_equal(first, again); // it is retained
    assert_int_equal(cl->clGetCommandQueueInfo(small, CL_QUEUE_SIZE, sizeof number, &number, NULL),
                     CL_SUCCESS);
    assert_int_equal(number, 2048);
    cl->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE_DEFAULT, sizeof other, &other, NULL);
    assert_ptr_equal(other, first);
    NO(CL_INVALID_COMMAND_QUEUE, cl->clSetDefaultDeviceCommandQueue(context, device, queue));
    NO(CL_SUCCESS, cl->clSetDefaultDeviceCommandQueue(context, device, small));
    cl->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE_DEFAULT, sizeof other, &other, NULL);
    assert_ptr_equal(other, small);
    NO(CL_INVALID_COMMAND_QUEUE, cl->clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, 4, &number, NULL));
    NO(CL_INVALID_COMMAND_QUEUE, cl->clEnqueueMarkerWithWaitList(first, 0, NULL, NULL));
    cl->clReleaseCommandQueue(first);
    cl->clReleaseCommandQueue(again);
    cl->clReleaseCommandQueue(small);
    cl->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE_DEFAULT, sizeof other, &other, NULL);
    assert_null(other);
}

static void blocks_are_not_kernels(void **state)
{
    cl_program p = program();
    size_t n;
    char names[64];
    cl_kernel kernels[8];
    cl_uint made;
    cl_int e;
    cl->clGetProgramInfo(p, CL_PROGRAM_NUM_KERNELS, sizeof n, &n, NULL);
    assert_int_equal(n, 4);
    cl->clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL);
    assert_null(strstr(names, "block"));
    assert_int_equal(cl->clCreateKernelsInProgram(p, 8, kernels, &made), CL_SUCCESS);
    assert_int_equal(made, 4);
    NO_OBJECT(CL_INVALID_KERNEL_NAME, cl->clCreateKernel(p, "__k_block_invoke_kernel", &e));
    NO(CL_INVALID_DEVICE_QUEUE, cl->clSetKernelArg(kernels[0], 1, sizeof queue, &queue));
    for (cl_uint i = 0; i < made; i++) cl->clReleaseKernel(kernels[i]);
    cl->clReleaseProgram(p);
}

static void run(cl_kernel k, cl_mem m, cl_command_queue q, size_t items)
{
    assert_int_equal(cl->clSetKernelArg(k, 0, sizeof m, &m), CL_SUCCESS);
    if (q) assert_int_equal(cl->clSetKernelArg(k, 1, sizeof q, &q), CL_SUCCESS);
    assert_int_equal(cl->clEnqueueNDRangeKernel(queue, k, 1, NULL, &items, NULL, 0, NULL, NULL),
                     CL_SUCCESS);
}

static void the_next_command_comes_after_children(void **state)
{
    cl_program p = program();
    cl_command_queue q = device_queue(0, 0);
    cl_kernel k = fixture_kernel(p, "k"), plain = fixture_kernel(p, "plain");
    int zeros[16] = {0}, got[16];
    cl_mem m = fixture_buffer(sizeof zeros);
    cl->clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, sizeof zeros, zeros, 0, NULL, NULL);
    run(k, m, q, 16);
    run(plain, m, NULL, 16);
    cl->clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL);
    for (int i = 0; i < 16; i++) assert_int_equal(got[i], 22);
    cl->clReleaseMemObject(m);
    cl->clReleaseKernel(k);
    cl->clReleaseKernel(plain);
    cl->clReleaseProgram(p);
    cl->clReleaseCommandQueue(q);
}

static void the_queue_can_be_full(void **state)
{
    cl_program p = program();
    cl_command_queue q = device_queue(0, 4096);
    cl_kernel k = fixture_kernel(p, "fill"), by_default = fixture_kernel(p, "by_default");
    int got[2] = {0};
    cl_mem m = fixture_buffer(sizeof got);
    cl->clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL);
    run(k, m, q, 1);
    cl->clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL);
    assert_int_equal(got[0], 4); // 1 KiB for each
    assert_int_equal(got[1], 4);
    assert_int_equal(cl->clSetDefaultDeviceCommandQueue(context, device, q), CL_SUCCESS);
    run(by_default, m, NULL, 1);
    cl->clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL);
    assert_int_equal(got[0], 0);
    assert_int_equal(got[1], 7);
    cl->clReleaseMemObject(m);
    cl->clReleaseKernel(k);
    cl->clReleaseKernel(by_default);
    cl->clReleaseProgram(p);
    cl->clReleaseCommandQueue(q);
}

/** Programs that are linked have the library of device-side enqueue once; binaries keep it. */
static void linked_and_reloaded(void **state)
{
    cl_int e;
    const char *parts[] = {
        "void more(global int *p);\n"
        "kernel void k(global int *p) {\n"
        "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4),"
        " ^{ p[get_global_id(0)]++; });\n"
        "    more(p);\n"
        "}\n",
        "void more(global int *p) {\n"
        "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4),"
        " ^{ p[get_global_id(0)] += 2; });\n"
        "}\n"};
    cl_program compiled[2];
    for (int i = 0; i < 2; i++) {
        compiled[i] = cl->clCreateProgramWithSource(context, 1, &parts[i], NULL, &e);
        assert_int_equal(cl->clCompileProgram(compiled[i], 1, &device, "-cl-std=CL3.0", 0, NULL,
                                              NULL, NULL, NULL),
                         CL_SUCCESS);
    }
    cl_program linked = cl->clLinkProgram(context, 1, &device, NULL, 2, compiled, NULL, NULL, &e);
    assert_int_equal(e, CL_SUCCESS);
    size_t size;
    cl->clGetProgramInfo(linked, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
    unsigned char *binary = malloc(size);
    cl->clGetProgramInfo(linked, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL);
    cl_program again = cl->clCreateProgramWithBinary(context, 1, &device, &size,
                                                     (const unsigned char **)&binary, NULL, &e);
    assert_int_equal(cl->clBuildProgram(again, 1, &device, "", NULL, NULL), CL_SUCCESS);
    cl_command_queue q = device_queue(CL_QUEUE_ON_DEVICE_DEFAULT, 0);
    cl_kernel k = fixture_kernel(again, "k");
    int got[4] = {0};
    cl_mem m = fixture_buffer(sizeof got);
    cl->clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL);
    run(k, m, NULL, 1);
    cl->clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL);
    for (int i = 0; i < 4; i++) assert_int_equal(got[i], 3);
    free(binary);
    cl->clReleaseMemObject(m);
    cl->clReleaseKernel(k);
    cl->clReleaseCommandQueue(q);
    cl->clReleaseProgram(compiled[0]);
    cl->clReleaseProgram(compiled[1]);
    cl->clReleaseProgram(linked);
    cl->clReleaseProgram(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(queries),
        cmocka_unit_test(blocks_are_not_kernels),
        cmocka_unit_test(the_next_command_comes_after_children),
        cmocka_unit_test(the_queue_can_be_full),
        cmocka_unit_test(linked_and_reloaded),
    };
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
