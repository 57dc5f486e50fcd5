// SPDX-License-Identifier: MIT
// Parts of the device: what they are, how long they live, and programs and queues of several
// devices.
#include "tests/api/fixture.h"

enum { UNITS = 6 };

static cl_uint units_of(cl_device_id d)
{
    cl_uint n = 0;
    assert_int_equal(cl->clGetDeviceInfo(d, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof n, &n, NULL),
                     CL_SUCCESS);
    return n;
}

static cl_uint refs_of(cl_device_id d)
{
    cl_uint n = 0;
    assert_int_equal(cl->clGetDeviceInfo(d, CL_DEVICE_REFERENCE_COUNT, sizeof n, &n, NULL),
                     CL_SUCCESS);
    return n;
}

#define PROPERTIES(...) ((const cl_device_partition_property[]){__VA_ARGS__, 0})
#define COUNTS(...)                                                                                \
    PROPERTIES(CL_DEVICE_PARTITION_BY_COUNTS, __VA_ARGS__, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END)

static void partitions(void **state)
{
    const struct {
        const cl_device_partition_property *p;
        unsigned words; // of p
        cl_uint n, units[UNITS];
    } rows[] = {
        {PROPERTIES(CL_DEVICE_PARTITION_EQUALLY, 2), 3, 3, {2, 2, 2}},
        {PROPERTIES(CL_DEVICE_PARTITION_EQUALLY, 4), 3, 1, {4}}, // the remainder is unused
        {PROPERTIES(CL_DEVICE_PARTITION_EQUALLY, 1), 3, 6, {1, 1, 1, 1, 1, 1}},
        {COUNTS(1, 3), 5, 2, {1, 3}},
        {COUNTS(6), 4, 1, {6}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cl_device_id d[UNITS];
        cl_uint n = 0;
        assert_int_equal(cl->clCreateSubDevices(device, rows[i].p, 0, NULL, &n), CL_SUCCESS);
        assert_int_equal(n, rows[i].n);
        assert_int_equal(cl->clCreateSubDevices(device, rows[i].p, n - 1, d, NULL),
                         CL_INVALID_VALUE);
        assert_int_equal(cl->clCreateSubDevices(device, rows[i].p, UNITS, d, &n), CL_SUCCESS);
        for (cl_uint k = 0; k < n; k++) {
            cl_device_id parent;
            cl_device_partition_property p[8];
            size_t size;
            assert_int_equal(units_of(d[k]), rows[i].units[k]);
            assert_int_equal(
                cl->clGetDeviceInfo(d[k], CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent, NULL),
                CL_SUCCESS);
            assert_ptr_equal(parent, device);
            assert_int_equal(
                cl->clGetDeviceInfo(d[k], CL_DEVICE_PARTITION_TYPE, sizeof p, p, &size),
                CL_SUCCESS);
            assert_int_equal(size, rows[i].words * sizeof *p);
            assert_memory_equal(p, rows[i].p, size);
            assert_int_equal(cl->clReleaseDevice(d[k]), CL_SUCCESS);
            assert_int_equal(cl->clReleaseDevice(d[k]), CL_INVALID_DEVICE);
        }
    }
    size_t size = 1;
    assert_int_equal(cl->clGetDeviceInfo(device, CL_DEVICE_PARTITION_TYPE, 0, NULL, &size),
                     CL_SUCCESS);
    assert_int_equal(size, 0);
}

static void what_cannot_be(void **state)
{
    const struct {
        const cl_device_partition_property *p;
        cl_int code;
    } rows[] = {
        {NULL, CL_INVALID_VALUE},
        {PROPERTIES(0), CL_INVALID_VALUE},
        {PROPERTIES(CL_DEVICE_PARTITION_EQUALLY, 0), CL_INVALID_VALUE},
        {PROPERTIES(CL_DEVICE_PARTITION_EQUALLY, -1), CL_INVALID_VALUE},
        {PROPERTIES(CL_DEVICE_PARTITION_EQUALLY, 6),
         CL_DEVICE_PARTITION_FAILED}, // one part is not a partition
        {PROPERTIES(CL_DEVICE_PARTITION_EQUALLY, 7), CL_INVALID_DEVICE_PARTITION_COUNT},
        {PROPERTIES(CL_DEVICE_PARTITION_EQUALLY, 1, CL_DEVICE_PARTITION_EQUALLY, 2),
         CL_INVALID_VALUE},
        {PROPERTIES(CL_DEVICE_PARTITION_BY_COUNTS, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END),
         CL_INVALID_VALUE},
        {COUNTS(4, 3), CL_INVALID_DEVICE_PARTITION_COUNT},
        {COUNTS(1, -1), CL_INVALID_DEVICE_PARTITION_COUNT},
        {COUNTS(1, 1, 1, 1, 1, 1, 1), CL_INVALID_DEVICE_PARTITION_COUNT},
        {PROPERTIES(CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN, CL_DEVICE_AFFINITY_DOMAIN_NUMA),
         CL_INVALID_VALUE},
        {PROPERTIES(0x7777, 1), CL_INVALID_VALUE},
    };
    cl_device_id d[UNITS];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(cl->clCreateSubDevices(device, rows[i].p, UNITS, d, NULL), rows[i].code);
    assert_int_equal(cl->clCreateSubDevices(NULL, rows[0].p, UNITS, d, NULL), CL_INVALID_DEVICE);
}

static void parts_of_parts_and_their_lives(void **state)
{
    cl_device_id half[2], one[3];
    cl_int e;
    assert_int_equal(
        cl->clCreateSubDevices(device, PROPERTIES(CL_DEVICE_PARTITION_EQUALLY, 3), 2, half, NULL),
        CL_SUCCESS);
    assert_int_equal(
        cl->clCreateSubDevices(half[0], PROPERTIES(CL_DEVICE_PARTITION_EQUALLY, 1), 3, one, NULL),
        CL_SUCCESS);
    assert_int_equal(refs_of(half[0]), 1);
    assert_int_equal(cl->clRetainDevice(half[0]), CL_SUCCESS);
    assert_int_equal(refs_of(half[0]), 2);
    assert_int_equal(refs_of(device), 1);
    cl_context c = cl->clCreateContext(NULL, 1, one, NULL, NULL, &e);
    assert_int_equal(e, CL_SUCCESS);
    for (int i = 0; i < 3; i++) assert_int_equal(cl->clReleaseDevice(one[i]), CL_SUCCESS);
    for (int i = 0; i < 2; i++) assert_int_equal(cl->clReleaseDevice(half[0]), CL_SUCCESS);
    assert_int_equal(cl->clReleaseDevice(half[1]), CL_SUCCESS);
    cl_device_id of;
    assert_int_equal(cl->clGetContextInfo(c, CL_CONTEXT_DEVICES, sizeof of, &of, NULL), CL_SUCCESS);
    assert_ptr_equal(of, one[0]); // the context keeps it
    assert_int_equal(units_of(of), 1);
    assert_int_equal(cl->clReleaseContext(c), CL_SUCCESS);
    assert_int_equal(cl->clGetDeviceInfo(one[0], CL_DEVICE_NAME, 0, NULL, NULL), CL_INVALID_DEVICE);
}

static void work_on_several(void **state)
{
    enum { N = 64 };
    cl_device_id d[3], got[3];
    cl_int e, host[N];
    cl_uint n;
    const size_t items = N;
    assert_int_equal(
        cl->clCreateSubDevices(device, PROPERTIES(CL_DEVICE_PARTITION_EQUALLY, 2), 3, d, NULL),
        CL_SUCCESS);
    cl_context c = cl->clCreateContext(NULL, 4, (cl_device_id[]){d[0], d[1], d[0], d[1]}, NULL,
                                       NULL, &e); // twice is once
    assert_int_equal(e, CL_SUCCESS);
    assert_int_equal(cl->clGetContextInfo(c, CL_CONTEXT_NUM_DEVICES, sizeof n, &n, NULL),
                     CL_SUCCESS);
    assert_int_equal(n, 2);
    assert_null(cl->clCreateCommandQueue(c, d[2], 0, &e));
    assert_int_equal(e, CL_INVALID_DEVICE);
    assert_null(cl->clCreateCommandQueue(c, device, 0, &e));
    assert_int_equal(e, CL_INVALID_DEVICE);
    const char *source = "kernel void add(global int *p) { p[get_global_id(0)] += 1; }";
    cl_program p = cl->clCreateProgramWithSource(c, 1, &source, NULL, &e);
    assert_int_equal(cl->clBuildProgram(p, 1, &d[2], "", NULL, NULL), CL_INVALID_DEVICE);
    assert_int_equal(cl->clBuildProgram(p, 2, d, "", NULL, NULL), CL_SUCCESS);
    assert_int_equal(cl->clGetProgramInfo(p, CL_PROGRAM_DEVICES, sizeof got, got, NULL),
                     CL_SUCCESS);
    assert_true(got[0] == d[0] && got[1] == d[1]);
    cl_kernel k = cl->clCreateKernel(p, "add", &e);
    size_t most;
    assert_int_equal(
        cl->clGetKernelWorkGroupInfo(k, NULL, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL),
        CL_INVALID_DEVICE);
    assert_int_equal(
        cl->clGetKernelWorkGroupInfo(k, d[1], CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, NULL),
        CL_SUCCESS);
    cl_mem m =
        cl->clCreateBuffer(c, CL_MEM_COPY_HOST_PTR, sizeof host, memset(host, 0, sizeof host), &e);
    assert_int_equal(cl->clSetKernelArg(k, 0, sizeof m, &m), CL_SUCCESS);
    cl_event last = NULL;
    for (int i = 0; i < 2; i++) {
        cl_command_queue q = cl->clCreateCommandQueue(c, d[i], 0, &e);
        assert_int_equal(cl->clGetCommandQueueInfo(q, CL_QUEUE_DEVICE, sizeof got[0], got, NULL),
                         CL_SUCCESS);
        assert_ptr_equal(got[0], d[i]);
        cl_event next;
        assert_int_equal(
            cl->clEnqueueNDRangeKernel(q, k, 1, NULL, &items, NULL, i, i ? &last : NULL, &next),
            CL_SUCCESS);
        if (i) cl->clReleaseEvent(last);
        last = next;
        if (i)
            assert_int_equal(
                cl->clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof host, host, 0, NULL, NULL),
                CL_SUCCESS);
        cl->clReleaseCommandQueue(q);
    }
    for (int i = 0; i < N; i++) assert_int_equal(host[i], 2);
    // A binary for each device; for some of them.
    size_t size[2];
    unsigned char *binary[2];
    assert_int_equal(cl->clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, size, NULL),
                     CL_SUCCESS);
    assert_int_equal(size[0], size[1]);
    for (int i = 0; i < 2; i++) binary[i] = malloc(size[i]);
    assert_int_equal(cl->clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof binary, binary, NULL),
                     CL_SUCCESS);
    assert_memory_equal(binary[0], binary[1], size[0]);
    cl_int status[2] = {1, 1};
    cl_program back =
        cl->clCreateProgramWithBinary(c, 2, d, size, (const unsigned char **)binary, status, &e);
    assert_non_null(back);
    assert_true(status[0] == CL_SUCCESS && status[1] == CL_SUCCESS);
    cl->clReleaseProgram(back);
    binary[1][size[1] / 2] ^= 1;
    assert_null(
        cl->clCreateProgramWithBinary(c, 2, d, size, (const unsigned char **)binary, status, &e));
    assert_int_equal(e, CL_INVALID_BINARY);
    assert_true(status[0] == CL_SUCCESS && status[1] == CL_INVALID_BINARY);
    cl_program some = cl->clCreateProgramWithBinary(c, 1, &d[1], size,
                                                    (const unsigned char **)binary, status, &e);
    assert_int_equal(cl->clBuildProgram(some, 1, &d[0], "", NULL, NULL), CL_INVALID_DEVICE);
    assert_int_equal(cl->clBuildProgram(some, 0, NULL, "", NULL, NULL), CL_SUCCESS);
    cl_kernel of_some = cl->clCreateKernel(some, "add", &e);
    cl_command_queue q = cl->clCreateCommandQueue(c, d[0], 0, &e);
    assert_int_equal(cl->clSetKernelArg(of_some, 0, sizeof m, &m), CL_SUCCESS);
    assert_int_equal(cl->clEnqueueNDRangeKernel(q, of_some, 1, NULL, &items, NULL, 0, NULL, NULL),
                     CL_INVALID_PROGRAM_EXECUTABLE);
    for (int i = 0; i < 2; i++) free(binary[i]);
    cl->clReleaseCommandQueue(q);
    cl->clReleaseKernel(of_some);
    cl->clReleaseProgram(some);
    cl->clReleaseEvent(last);
    cl->clReleaseMemObject(m);
    cl->clReleaseKernel(k);
    cl->clReleaseProgram(p);
    cl->clReleaseContext(c);
    for (int i = 0; i < 3; i++) assert_int_equal(cl->clReleaseDevice(d[i]), CL_SUCCESS);
}

int main(void)
{
    setenv("CLDBG_OPTIONS", "--compute-units=6", 1);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partitions),
        cmocka_unit_test(what_cannot_be),
        cmocka_unit_test(parts_of_parts_and_their_lives),
        cmocka_unit_test(work_on_several),
    };
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
