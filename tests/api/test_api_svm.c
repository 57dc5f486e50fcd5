// SPDX-License-Identifier: MIT
// Shared virtual memory: addresses that host and kernels both follow; and the queries about
// sub-groups.
#include "tests/api/fixture.h"

struct node {
    int value, pad;
    struct node *next;
};

static const char source[] =
    "typedef struct node { int value, pad; global struct node *next; } node;\n"
    "kernel void sum(global node *first, global int *out) {\n"
    "    for (global node *n = first; n; n = n->next) { out[0] += n->value; n->value = -n->value; "
    "} }\n"
    "kernel void link(global node *nodes, int count) {\n"
    "    int i = get_global_id(0);\n"
    "    nodes[i].value = i; nodes[i].next = i + 1 < count ? &nodes[i + 1] : 0; }\n"
    "kernel void back(global int *p) { if (!get_global_id(0)) p[-1] = 7; p[get_global_id(0)] = 5; "
    "}\n";

static int *numbers(size_t n)
{
    int *p = cl->clSVMAlloc(context, CL_MEM_READ_WRITE, n * sizeof *p, 0);
    assert_non_null(p);
    return p;
}

static void run(cl_kernel k, size_t n)
{
    assert_int_equal(cl->clEnqueueNDRangeKernel(queue, k, 1, NULL, &n, NULL, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(cl->clFinish(queue), CL_SUCCESS);
}

// The host's list in three allocations, and one that the kernel links for the host.
static void lists(void **state)
{
    cl_program p = fixture_program(source);
    struct node *n[3];
    for (int i = 3; i-- > 0;) {
        n[i] = cl->clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, sizeof **n,
                              16);
        *n[i] = (struct node){.value = 10 << i, .next = i < 2 ? n[i + 1] : NULL};
    }
    int *out = numbers(1);
    *out = 1;
    cl_kernel k = fixture_kernel(p, "sum");
    assert_int_equal(cl->clSetKernelArgSVMPointer(k, 0, n[0]), CL_SUCCESS);
    assert_int_equal(cl->clSetKernelArgSVMPointer(k, 1, out), CL_SUCCESS);
    assert_int_equal(cl->clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof n, n),
                     CL_SUCCESS);
    run(k, 1);
    assert_int_equal(*out, 71);
    assert_int_equal(n[2]->value, -40);
    cl->clReleaseKernel(k);

    struct node *nodes = cl->clSVMAlloc(context, 0, 5 * sizeof *nodes, 0);
    k = fixture_kernel(p, "link");
    const int count = 5;
    assert_int_equal(cl->clSetKernelArgSVMPointer(k, 0, nodes), CL_SUCCESS);
    cl->clSetKernelArg(k, 1, sizeof count, &count);
    run(k, 5);
    int sum = 0;
    for (const struct node *at = nodes; at; at = at->next) sum += at->value;
    assert_int_equal(sum, 10);
    cl->clReleaseKernel(k);

    k = fixture_kernel(p, "back"); // a pointer into the middle, and a buffer on the allocation
    int *middle = numbers(8);
    assert_int_equal(cl->clSetKernelArgSVMPointer(k, 0, middle + 4), CL_SUCCESS);
    run(k, 4);
    assert_int_equal(middle[3], 7);
    assert_int_equal(middle[7], 5);
    cl_int e;
    cl_bool uses = CL_FALSE;
    cl_mem m = cl->clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 16, middle, &e);
    assert_int_equal(cl->clGetMemObjectInfo(m, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses, NULL),
                     CL_SUCCESS);
    assert_int_equal(uses, CL_TRUE);
    assert_null(cl->clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 33, middle, &e));
    assert_int_equal(e, CL_INVALID_BUFFER_SIZE);
    cl->clReleaseMemObject(m);
    cl->clReleaseKernel(k);
    cl->clSVMFree(context, middle);
    cl->clSVMFree(context, nodes);
    cl->clSVMFree(context, out);
    for (int i = 0; i < 3; i++) cl->clSVMFree(context, n[i]);
    cl->clReleaseProgram(p);
}

static void CL_CALLBACK freed(cl_command_queue q, cl_uint n, void **p, void *count)
{
    *(cl_uint *)count += n;
    for (cl_uint i = 0; i < n; i++) cl->clSVMFree(context, p[i]);
}

static void commands(void **state)
{
    int *a = numbers(16), *b = numbers(16), host[16] = {0};
    const int two[2] = {1, 2};
    assert_int_equal(cl->clEnqueueSVMMemFill(queue, a, two, sizeof two, 64, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(cl->clEnqueueSVMMemcpy(queue, CL_FALSE, b, a, 64, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(cl->clEnqueueSVMMemcpy(queue, CL_TRUE, host, b, 64, 0, NULL, NULL),
                     CL_SUCCESS);
    for (int i = 0; i < 16; i++) assert_int_equal(host[i], 1 + i % 2);
    assert_int_equal(cl->clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, b + 2, 8, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(cl->clEnqueueSVMUnmap(queue, b + 2, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(
        cl->clEnqueueSVMMigrateMem(queue, 1, (const void **)&a, NULL, 0, 0, NULL, NULL),
        CL_SUCCESS);
    assert_int_equal(cl->clEnqueueSVMMemcpy(queue, CL_TRUE, a + 1, a, 8, 0, NULL, NULL),
                     CL_MEM_COPY_OVERLAP);
    assert_int_equal(cl->clEnqueueSVMMemFill(queue, a, two, 3, 9, 0, NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(cl->clEnqueueSVMMemFill(queue, a + 1, two, 8, 8, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(cl->clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, b, 65, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(cl->clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, host, 4, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(cl->clEnqueueSVMFree(queue, 0, NULL, NULL, NULL, 0, NULL, NULL),
                     CL_SUCCESS); // of nothing
    cl_uint n = 0;
    void *both[2] = {a, b};
    assert_int_equal(cl->clEnqueueSVMFree(queue, 2, both, freed, &n, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(cl->clFinish(queue), CL_SUCCESS);
    assert_int_equal(n, 2);
    assert_int_equal(cl->clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, b, 4, 0, NULL, NULL),
                     CL_INVALID_VALUE);
}

// Bytes past an allocation's end are refused; memory that is freed while a command waits stays
// until the command has ended.
static void past_and_freed(void **state)
{
    static char big[1 << 20];
    int *a = cl->clSVMAlloc(context, 0, sizeof big, 0), *b = numbers(4);
    assert_int_equal(cl->clEnqueueSVMMemcpy(queue, CL_TRUE, b, a, 17, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(cl->clEnqueueSVMMemcpy(queue, CL_TRUE, big, b + 3, 5, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(cl->clEnqueueSVMMemcpy(queue, CL_TRUE, b, big, SIZE_MAX / 2, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(cl->clEnqueueSVMMemFill(queue, b, "0123", 4, 20, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(cl->clEnqueueSVMMemFill(queue, b, "0123", 4, 16, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(cl->clFinish(queue), CL_SUCCESS);
    cl_int e;
    cl_event later = cl->clCreateUserEvent(context, &e);
    assert_int_equal(cl->clEnqueueSVMMemFill(queue, a, "abcd", 4, sizeof big, 1, &later, NULL),
                     CL_SUCCESS);
    assert_int_equal(cl->clEnqueueSVMMemcpy(queue, CL_FALSE, big, a, sizeof big, 0, NULL, NULL),
                     CL_SUCCESS);
    cl->clSVMFree(context, a);
    assert_int_equal(cl->clSetUserEventStatus(later, CL_COMPLETE), CL_SUCCESS);
    assert_int_equal(cl->clFinish(queue), CL_SUCCESS);
    assert_memory_equal(big + sizeof big - 4, "abcd", 4);
    cl->clReleaseEvent(later);
    cl->clSVMFree(context, b);
}

static void refusals(void **state)
{
    assert_null(cl->clSVMAlloc(context, 0, 0, 0));
    assert_null(cl->clSVMAlloc(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 4, 0));
    assert_null(cl->clSVMAlloc(context, CL_MEM_SVM_ATOMICS, 4, 0));
    assert_null(cl->clSVMAlloc(context, 0, 4, 3));
    assert_null(cl->clSVMAlloc(context, CL_MEM_USE_HOST_PTR, 4, 0));
    cl_program p = fixture_program(source);
    cl_kernel k = fixture_kernel(p, "link");
    int *a = numbers(4), x;
    assert_int_equal(cl->clSetKernelArgSVMPointer(k, 0, &x), CL_INVALID_ARG_VALUE);
    assert_int_equal(cl->clSetKernelArgSVMPointer(k, 1, a), CL_INVALID_ARG_VALUE);
    assert_int_equal(cl->clSetKernelArgSVMPointer(k, 2, a), CL_INVALID_ARG_INDEX);
    assert_int_equal(cl->clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_PTRS, 4, &a),
                     CL_INVALID_VALUE);
    assert_int_equal(cl->clSetKernelExecInfo(k, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, 4,
                                             &(cl_bool){CL_TRUE}),
                     CL_INVALID_OPERATION);
    cl->clSVMFree(context, a);
    cl->clReleaseKernel(k);
    cl->clReleaseProgram(p);
}

static void sub_groups(void **state)
{
    cl_program p = fixture_program(source);
    cl_kernel k = fixture_kernel(p, "link");
    size_t n, local[2] = {10, 10}, three[3];
    assert_int_equal(cl->clGetKernelSubGroupInfo(k, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE,
                                                 sizeof local, local, sizeof n, &n, NULL),
                     CL_SUCCESS);
    assert_int_equal(n, 4); // of 32, 32, 32 and 4
    assert_int_equal(cl->clGetKernelSubGroupInfo(k, device,
                                                 CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                                 sizeof(size_t), local, sizeof n, &n, NULL),
                     CL_SUCCESS);
    assert_int_equal(n, 10);
    assert_int_equal(
        cl->clGetKernelSubGroupInfo(k, device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
                                    sizeof(size_t), &(size_t){3}, sizeof three, three, NULL),
        CL_SUCCESS);
    assert_true(three[0] == 96 && three[1] == 1 && three[2] == 1);
    assert_int_equal(cl->clGetKernelSubGroupInfo(k, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE,
                                                 0, NULL, sizeof n, &n, NULL),
                     CL_INVALID_VALUE);
    assert_int_equal(cl->clGetKernelSubGroupInfo(k, device, 0, 0, NULL, sizeof n, &n, NULL),
                     CL_INVALID_VALUE);
    // the extension, and what it promises
    cl_kernel_sub_group_info count = CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE;
    cl_int (*of_extension)(cl_kernel, cl_device_id, cl_kernel_sub_group_info, size_t, const void *,
                           size_t, void *, size_t *) =
        cl->clGetExtensionFunctionAddressForPlatform(platform, "clGetKernelSubGroupInfoKHR");
    assert_int_equal(of_extension(k, device, count, sizeof local, local, sizeof n, &n, NULL),
                     CL_SUCCESS);
    assert_int_equal(n, 4);
    char names[2000], of_platform[2000];
    cl_bool progress = CL_FALSE;
    assert_int_equal(cl->clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof names, names, NULL),
                     CL_SUCCESS);
    assert_int_equal(cl->clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS, sizeof of_platform,
                                           of_platform, NULL),
                     CL_SUCCESS);
    assert_int_equal(cl->clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS,
                                         sizeof progress, &progress, NULL),
                     CL_SUCCESS);
    assert_true(strstr(names, "cl_khr_subgroups ") && strstr(of_platform, "cl_khr_subgroups ") &&
                progress);
    cl->clReleaseKernel(k);
    cl->clReleaseProgram(p);
}

static void sub_groups_of_a_kernels_own_size(void **state)
{
    cl_program p = fixture_program("__attribute__((intel_reqd_sub_group_size(8))) kernel void "
                                   "own(global int *o) { *o = get_max_sub_group_size(); }");
    cl_kernel k = fixture_kernel(p, "own");
    size_t n, local[2] = {10, 10}, three[3], sizes[6];
    char text[200];
    assert_int_equal(cl->clGetKernelSubGroupInfo(k, device, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL,
                                                 0, NULL, sizeof n, &n, NULL),
                     CL_SUCCESS);
    assert_int_equal(n, 8);
    assert_int_equal(cl->clGetKernelSubGroupInfo(k, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE,
                                                 sizeof local, local, sizeof n, &n, NULL),
                     CL_SUCCESS);
    assert_int_equal(n, 13);
    assert_int_equal(cl->clGetKernelSubGroupInfo(k, device,
                                                 CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                                 sizeof local, local, sizeof n, &n, NULL),
                     CL_SUCCESS);
    assert_int_equal(n, 8);
    assert_int_equal(cl->clGetKernelSubGroupInfo(k, device,
                                                 CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                                                 sizeof(size_t), &(size_t){3}, sizeof n, &n, NULL),
                     CL_SUCCESS);
    assert_int_equal(n, 8); // also of a work-group of 3
    assert_int_equal(
        cl->clGetKernelSubGroupInfo(k, device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
                                    sizeof(size_t), &(size_t){3}, sizeof three, three, NULL),
        CL_SUCCESS);
    assert_true(three[0] == 24 && three[1] == 1 && three[2] == 1);
    assert_int_equal(
        cl->clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, &n),
        CL_SUCCESS);
    assert_true(n == sizeof sizes && sizes[0] == 1 && sizes[5] == 32);
    assert_int_equal(cl->clGetKernelInfo(k, CL_KERNEL_ATTRIBUTES, sizeof text, text, NULL),
                     CL_SUCCESS);
    assert_string_equal(text, "intel_reqd_sub_group_size(8)");
    cl->clReleaseKernel(k);
    cl->clReleaseProgram(p);
    const char *large =
        "__attribute__((intel_reqd_sub_group_size(64))) kernel void own(global int *o) { *o = 1; }";
    cl_int e;
    p = cl->clCreateProgramWithSource(context, 1, &large, NULL, &e);
    assert_int_equal(cl->clBuildProgram(p, 1, &device, "", NULL, NULL), CL_BUILD_PROGRAM_FAILURE);
    cl->clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, sizeof text, text, NULL);
    assert_non_null(strstr(text, "sub-groups are of 1, 2, 4, 8, 16 or 32 work-items"));
    cl->clReleaseProgram(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists),          cmocka_unit_test(commands),
        cmocka_unit_test(past_and_freed), cmocka_unit_test(refusals),
        cmocka_unit_test(sub_groups),     cmocka_unit_test(sub_groups_of_a_kernels_own_size)};
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
