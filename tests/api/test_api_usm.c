// SPDX-License-Identifier: MIT
// Unified shared memory: allocations, queries, commands, pointers that kernels follow, rejected
// calls.
#include "tests/api/fixture.h"

#include <CL/cl_ext.h>

static clHostMemAllocINTEL_fn host_alloc;
static clDeviceMemAllocINTEL_fn device_alloc;
static clSharedMemAllocINTEL_fn shared_alloc;
static clMemFreeINTEL_fn mem_free, blocking_free;
static clGetMemAllocInfoINTEL_fn info;
static clSetKernelArgMemPointerINTEL_fn set_pointer;
static clEnqueueMemFillINTEL_fn fill;
static clEnqueueMemcpyINTEL_fn copy;
static clEnqueueMigrateMemINTEL_fn migrate;
static clEnqueueMemAdviseINTEL_fn advise;
static clEnqueueMemsetINTEL_fn set;

static const char source[] =
    "typedef struct node { int value, pad; global struct node *next; } node;\n"
    "kernel void sum(global node *first, global int *out) {\n"
    "    for (global node *n = first; n; n = n->next) out[0] += n->value; }\n";

static int setup(void **state)
{
    static const struct {
        const char *name;
        void *to;
    } functions[] = {{"clHostMemAllocINTEL", &host_alloc},
                     {"clDeviceMemAllocINTEL", &device_alloc},
                     {"clSharedMemAllocINTEL", &shared_alloc},
                     {"clMemFreeINTEL", &mem_free},
                     {"clMemBlockingFreeINTEL", &blocking_free},
                     {"clGetMemAllocInfoINTEL", &info},
                     {"clSetKernelArgMemPointerINTEL", &set_pointer},
                     {"clEnqueueMemFillINTEL", &fill},
                     {"clEnqueueMemcpyINTEL", &copy},
                     {"clEnqueueMigrateMemINTEL", &migrate},
                     {"clEnqueueMemAdviseINTEL", &advise},
                     {"clEnqueueMemsetINTEL", &set}};
    const int bad = fixture_setup(state);
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        void *f = cl->clGetExtensionFunctionAddressForPlatform(platform, functions[i].name);
        assert_non_null(f);
        *(void **)functions[i].to = f;
    }
    return bad;
}

static void is_listed(void **state)
{
    char names[4096];
    cl_device_unified_shared_memory_capabilities_intel c = 7;
    assert_int_equal(cl->clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof names, names, NULL),
                     CL_SUCCESS);
    assert_non_null(strstr(names, "cl_intel_unified_shared_memory"));
    for (cl_uint q = CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL;
         q <= CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL; q++) {
        assert_int_equal(cl->clGetDeviceInfo(device, q, sizeof c, &c, NULL), CL_SUCCESS);
        assert_int_equal(c & CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL,
                         q < CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL);
    }
}

static void check_info(const void *p, const void *base, cl_unified_shared_memory_type_intel type,
                       size_t size, cl_device_id on)
{
    cl_unified_shared_memory_type_intel t;
    void *b;
    size_t n;
    cl_device_id d;
    assert_int_equal(info(context, p, CL_MEM_ALLOC_TYPE_INTEL, sizeof t, &t, NULL), CL_SUCCESS);
    assert_int_equal(info(context, p, CL_MEM_ALLOC_BASE_PTR_INTEL, sizeof b, &b, NULL), CL_SUCCESS);
    assert_int_equal(info(context, p, CL_MEM_ALLOC_SIZE_INTEL, sizeof n, &n, NULL), CL_SUCCESS);
    assert_int_equal(info(context, p, CL_MEM_ALLOC_DEVICE_INTEL, sizeof d, &d, NULL), CL_SUCCESS);
    assert_int_equal(t, type);
    assert_ptr_equal(b, base);
    assert_int_equal(n, size);
    assert_ptr_equal(d, on);
}

static void allocations(void **state)
{
    cl_int e = 1;
    const cl_mem_properties_intel placed[] = {CL_MEM_ALLOC_FLAGS_INTEL,
                                              CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL, 0};
    char *h = host_alloc(context, NULL, 100, 0, &e), *d, *s;
    assert_int_equal(e, CL_SUCCESS);
    d = device_alloc(context, device, NULL, 200, 64, &e);
    assert_int_equal(e, CL_SUCCESS);
    s = shared_alloc(context, NULL, placed, 300, 0, &e);
    assert_int_equal(e, CL_SUCCESS);
    check_info(h + 99, h, CL_MEM_TYPE_HOST_INTEL, 100, NULL);
    check_info(d, d, CL_MEM_TYPE_DEVICE_INTEL, 200, device);
    check_info(s + 7, s, CL_MEM_TYPE_SHARED_INTEL, 300, NULL);
    check_info(&e, NULL, CL_MEM_TYPE_UNKNOWN_INTEL, 0, NULL);
    cl_mem_alloc_flags_intel flags = 0;
    assert_int_equal(info(context, s, CL_MEM_ALLOC_FLAGS_INTEL, sizeof flags, &flags, NULL),
                     CL_SUCCESS);
    assert_int_equal(flags, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL);
    NO(CL_INVALID_VALUE, info(context, s, 0x1234, sizeof flags, &flags, NULL));
    NO(CL_INVALID_VALUE, info(context, s, CL_MEM_ALLOC_SIZE_INTEL, 1, &flags, NULL));
    assert_int_equal(mem_free(context, h), CL_SUCCESS);
    check_info(h, NULL, CL_MEM_TYPE_UNKNOWN_INTEL, 0, NULL);
    NO(CL_INVALID_VALUE, mem_free(context, h)); // twice
    NO(CL_INVALID_VALUE, mem_free(context, d + 8));
    assert_int_equal(blocking_free(context, d), CL_SUCCESS);
    assert_int_equal(blocking_free(context, s), CL_SUCCESS);
    assert_int_equal(mem_free(context, NULL), CL_SUCCESS);
}

static void rejected(void **state)
{
    cl_int e;
    const cl_mem_properties_intel unknown[] = {0x77, 1, 0},
                                  bits[] = {CL_MEM_ALLOC_FLAGS_INTEL, 1 << 20, 0},
                                  both[] = {CL_MEM_ALLOC_FLAGS_INTEL, 6, 0};
    NO_OBJECT(CL_INVALID_CONTEXT, host_alloc(NULL, NULL, 8, 0, &e));
    NO_OBJECT(CL_INVALID_DEVICE, device_alloc(context, NULL, NULL, 8, 0, &e));
    NO_OBJECT(CL_INVALID_BUFFER_SIZE, host_alloc(context, NULL, 0, 0, &e));
    NO_OBJECT(CL_INVALID_BUFFER_SIZE, host_alloc(context, NULL, SIZE_MAX, 0, &e));
    NO_OBJECT(CL_INVALID_VALUE, host_alloc(context, NULL, 8, 3, &e));
    NO_OBJECT(CL_INVALID_PROPERTY, host_alloc(context, unknown, 8, 0, &e));
    NO_OBJECT(CL_INVALID_VALUE, host_alloc(context, bits, 8, 0, &e));
    NO_OBJECT(CL_INVALID_PROPERTY, shared_alloc(context, device, both, 8, 0, &e));
    void *svm = cl->clSVMAlloc(context, 0, 16, 0);
    NO(CL_INVALID_VALUE, mem_free(context, svm)); // of another kind
    cl->clSVMFree(context, svm);
    NO(CL_INVALID_CONTEXT, mem_free(NULL, NULL));
}

static void commands(void **state)
{
    cl_int e;
    int *a = device_alloc(context, device, NULL, 64, 0, &e),
        *b = shared_alloc(context, device, NULL, 64, 0, &e);
    int host[16] = {0};
    const int two[2] = {1, 2};
    cl_event done;
    cl_command_type type = 0;
    assert_int_equal(fill(queue, a, two, sizeof two, 64, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(copy(queue, CL_FALSE, b, a, 64, 0, NULL, &done), CL_SUCCESS);
    assert_int_equal(cl->clGetEventInfo(done, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL),
                     CL_SUCCESS);
    assert_int_equal(type, CL_COMMAND_MEMCPY_INTEL);
    assert_int_equal(copy(queue, CL_TRUE, host, b, 64, 1, &done, NULL), CL_SUCCESS);
    for (int i = 0; i < 16; i++) assert_int_equal(host[i], 1 + i % 2);
    assert_int_equal(set(queue, b, 0x101, 64, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(migrate(queue, b, 64, 0, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(advise(queue, b, 64, 0, 0, NULL, NULL), CL_SUCCESS);
    cl->clFinish(queue);
    assert_int_equal(b[15], 0x01010101);
    NO(CL_INVALID_VALUE, copy(queue, CL_TRUE, host, b, 65, 0, NULL, NULL));
    NO(CL_INVALID_VALUE, fill(queue, a, two, 3, 9, 0, NULL, NULL));
    NO(CL_MEM_COPY_OVERLAP, copy(queue, CL_TRUE, b + 1, b, 8, 0, NULL, NULL));
    NO(CL_INVALID_EVENT_WAIT_LIST, advise(queue, b, 64, 0, 1, NULL, NULL));
    NO(CL_INVALID_COMMAND_QUEUE, copy(NULL, CL_TRUE, host, b, 4, 0, NULL, NULL));
    cl->clReleaseEvent(done);
    assert_int_equal(blocking_free(context, a), CL_SUCCESS);
    assert_int_equal(mem_free(context, b), CL_SUCCESS);
}

struct node {
    int value, pad;
    struct node *next;
};

static void kernels(void **state)
{
    cl_int e;
    cl_program p = fixture_program(source);
    cl_kernel k = fixture_kernel(p, "sum");
    struct node *n[3];
    for (int i = 3; i-- > 0;) {
        n[i] = i ? shared_alloc(context, device, NULL, sizeof **n, 0, &e)
                 : host_alloc(context, NULL, sizeof **n, 0, &e);
        *n[i] = (struct node){.value = 10 << i, .next = i < 2 ? n[i + 1] : NULL};
    }
    int *out = shared_alloc(context, device, NULL, sizeof *out, 0, &e);
    *out = 1;
    const cl_bool yes = CL_TRUE;
    const size_t one = 1;
    assert_int_equal(set_pointer(k, 0, n[0]), CL_SUCCESS);
    assert_int_equal(set_pointer(k, 1, out), CL_SUCCESS);
    assert_int_equal(cl->clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL,
                                             sizeof yes, &yes),
                     CL_SUCCESS);
    assert_int_equal(cl->clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, sizeof n, n),
                     CL_SUCCESS);
    NO(CL_INVALID_VALUE,
       cl->clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, 1, &yes));
    NO(CL_INVALID_ARG_VALUE, set_pointer(k, 0, &e));
    NO(CL_INVALID_ARG_INDEX, set_pointer(k, 9, out));
    assert_int_equal(cl->clEnqueueNDRangeKernel(queue, k, 1, NULL, &one, NULL, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(cl->clFinish(queue), CL_SUCCESS);
    assert_int_equal(*out, 71);
    for (int i = 0; i < 3; i++) assert_int_equal(mem_free(context, n[i]), CL_SUCCESS);
    assert_int_equal(mem_free(context, out), CL_SUCCESS);
    cl->clReleaseKernel(k);
    cl->clReleaseProgram(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_listed), cmocka_unit_test(allocations), cmocka_unit_test(rejected),
        cmocka_unit_test(commands),  cmocka_unit_test(kernels),
    };
    return cmocka_run_group_tests(tests, setup, fixture_teardown);
}
