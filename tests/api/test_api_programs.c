// SPDX-License-Identifier: MIT
// Programs from source, binary and parts; queries about kernels; launches.
#include "tests/api/fixture.h"

#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static const char *text_of(cl_program p, cl_program_build_info what)
{
    static char text[8192];
    assert_int_equal(cl->clGetProgramBuildInfo(p, device, what, sizeof text, text, NULL),
                     CL_SUCCESS);
    return text;
}

static void broken_source(void **state)
{
    const char *parts[] = {"kernel void k() { ", "int x = nothing; }XXXX"};
    const size_t lengths[] = {0, 18};
    cl_int e;
    cl_program p = cl->clCreateProgramWithSource(context, 2, parts, lengths, &e);
    char source[64];
    cl->clGetProgramInfo(p, CL_PROGRAM_SOURCE, sizeof source, source, NULL);
    assert_string_equal(source, "kernel void k() { int x = nothing; }");
    assert_int_equal(cl->clBuildProgram(p, 1, &device, "-DA=1", NULL, NULL),
                     CL_BUILD_PROGRAM_FAILURE);
    assert_non_null(strstr(text_of(p, CL_PROGRAM_BUILD_LOG), "nothing"));
    assert_string_equal(text_of(p, CL_PROGRAM_BUILD_OPTIONS), "-DA=1");
    assert_null(cl->clCreateKernel(p, "k", &e));
    assert_int_equal(e, CL_INVALID_PROGRAM_EXECUTABLE);
    cl->clReleaseProgram(p);
}

static int notified;
static void CL_CALLBACK on_build(cl_program p, void *data) { notified += *(int *)data; }

static void launch_and_check(cl_program p)
{
    cl_kernel k = fixture_kernel(p, "scale");
    cl_mem m = fixture_buffer(64 * sizeof(int));
    int three = 3, got[64];
    cl->clSetKernelArg(k, 0, sizeof m, &m);
    cl->clSetKernelArg(k, 1, sizeof three, &three);
    assert_int_equal(
        cl->clEnqueueNDRangeKernel(queue, k, 1, NULL, &(size_t){64}, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    int nine = 9;
    cl->clSetKernelArg(k, 1, sizeof nine, &nine); // too late for the command
    cl->clReleaseKernel(k);
    assert_int_equal(cl->clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL),
                     CL_SUCCESS);
    for (int i = 0; i < 64; i++) assert_int_equal(got[i], i * 3);
    cl->clReleaseMemObject(m);
}

static const char scale[] = "kernel void scale(global int *restrict out, const int by) {\n"
                            "    out[get_global_id(0)] = (int)get_global_id(0) * by; }\n"
                            "kernel void second(constant float4 *c, local uchar *l) {}\n";

static void binaries(void **state)
{
    cl_program p = fixture_program(scale);
    launch_and_check(p);
    size_t size;
    assert_int_equal(cl->clGetProgramInfo(p, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL),
                     CL_SUCCESS);
    assert_true(size > 100);
    unsigned char *bin = malloc(size);
    assert_int_equal(cl->clGetProgramInfo(p, CL_PROGRAM_BINARIES, sizeof bin, &bin, NULL),
                     CL_SUCCESS);
    cl->clReleaseProgram(p);
    cl_int e, status;
    for (int round = 0; round < 2; round++) {
        p = cl->clCreateProgramWithBinary(context, 1, &device, &size, (const unsigned char **)&bin,
                                          &status, &e);
        if (round == 0) {
            assert_int_equal(e, CL_SUCCESS);
            assert_int_equal(cl->clBuildProgram(p, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
            launch_and_check(p);
            cl->clReleaseProgram(p);
            bin[size / 2] ^= 4; // and now a damaged one
        } else {
            assert_null(p);
            assert_int_equal(e, CL_INVALID_BINARY);
        }
    }
    free(bin);
}

static void parts_linked(void **state)
{
    cl_int e;
    int one = 1;
    const char *main_text = "#include \"help.h\"\nkernel void scale(global int *o, int by) { "
                            "o[get_global_id(0)] = times(by); }";
    const char *help_h = "int times(int by);",
               *help = "int times(int by) { return (int)get_global_id(0) * by; }";
    cl_program a = cl->clCreateProgramWithSource(context, 1, &main_text, NULL, &e),
               b = cl->clCreateProgramWithSource(context, 1, &help, NULL, &e),
               h = cl->clCreateProgramWithSource(context, 1, &help_h, NULL, &e);
    notified = 0;
    assert_int_equal(
        cl->clCompileProgram(a, 1, &device, "", 1, &h, &(const char *){"help.h"}, on_build, &one),
        CL_SUCCESS);
    assert_int_equal(notified, 1);
    assert_int_equal(cl->clCompileProgram(b, 1, &device, "", 0, NULL, NULL, NULL, NULL),
                     CL_SUCCESS);
    cl_program both[] = {a, b};
    cl_program p = cl->clLinkProgram(context, 1, &device, "", 2, both, NULL, NULL, &e);
    assert_int_equal(e, CL_SUCCESS);
    launch_and_check(p);
    assert_null(cl->clLinkProgram(context, 1, &device, "", 1, &h, NULL, NULL, &e));
    assert_int_equal(e, CL_INVALID_OPERATION);
    cl_program all[] = {a, b, h, p};
    for (int i = 0; i < 4; i++) cl->clReleaseProgram(all[i]);
}

/**
 * An inline function of a header that two programs include; and two functions that only share their
 * name.
 */
static void headers_of_linked_parts(void **state)
{
    cl_int e;
    const char *text[] = {
        "#include \"h.h\"\nkernel void scale(global int *o, int by) { o[get_global_id(0)] = "
        "times((int)get_global_id(0), by); }",
        "#include \"h.h\"\nkernel void second(global int *o) { o[0] = times(o[0], 2); }",
        "int times(int a, int b) { return a + b; }\nkernel void third(global int *o) { o[0] = "
        "times(1, 2); }"};
    const char *h_text = "inline int times(int a, int b) { return a * b; }\n";
    cl_program h = cl->clCreateProgramWithSource(context, 1, &h_text, NULL, &e), part[3];
    for (int i = 0; i < 3; i++) {
        part[i] = cl->clCreateProgramWithSource(context, 1, &text[i], NULL, &e);
        assert_int_equal(cl->clCompileProgram(part[i], 1, &device, "", 1, &h,
                                              &(const char *){"h.h"}, NULL, NULL),
                         CL_SUCCESS);
    }
    cl_program p = cl->clLinkProgram(context, 1, &device, "", 2, part, NULL, NULL, &e);
    assert_int_equal(e, CL_SUCCESS);
    launch_and_check(p);
    cl_program bad = cl->clLinkProgram(context, 1, &device, "", 3, part, NULL, NULL, &e);
    assert_int_equal(e, CL_LINK_PROGRAM_FAILURE);
    assert_non_null(strstr(text_of(bad, CL_PROGRAM_BUILD_LOG), "times"));
    cl_program all[] = {h, part[0], part[1], part[2], p, bad};
    for (int i = 0; i < 6; i++) cl->clReleaseProgram(all[i]);
}

/**
 * `extern inline`: the body in the header is used in programs that define no other. A program's
 * own definition has priority.
 */
static void inline_bodies_of_linked_parts(void **state)
{
    cl_int e;
    const char *text[] = {
        "#include \"h.h\"\nkernel void scale(global int *o, int by) { o[get_global_id(0)] = "
        "times((int)get_global_id(0), by) - MORE; }",
        "#include \"h.h\"\nkernel void second(global int *o) { o[0] = times(o[0], 2); }",
        "int times(int a, int b) { return a * b; }"};
    const char *h_text = "extern inline int times(int a, int b) { return a * b + 1; }\n";
    cl_program h = cl->clCreateProgramWithSource(context, 1, &h_text, NULL, &e), part[3];
    for (int own = 0; own < 2; own++) {
        for (int i = 0; i < 3; i++) {
            part[i] = cl->clCreateProgramWithSource(context, 1, &text[i], NULL, &e);
            assert_int_equal(cl->clCompileProgram(part[i], 1, &device,
                                                  own ? "-DMORE=0" : "-DMORE=1", 1, &h,
                                                  &(const char *){"h.h"}, NULL, NULL),
                             CL_SUCCESS);
        }
        cl_program p = cl->clLinkProgram(context, 1, &device, "", 2 + own, part, NULL, NULL, &e);
        assert_int_equal(e, CL_SUCCESS);
        launch_and_check(p);
        cl->clReleaseProgram(p);
        for (int i = 0; i < 3; i++) cl->clReleaseProgram(part[i]);
    }
    cl->clReleaseProgram(h);
}

static void queries(void **state)
{
    cl_program p = fixture_program(scale);
    char names[64], text[64];
    cl_uint n;
    cl->clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL);
    assert_true(!strcmp(names, "scale;second") || !strcmp(names, "second;scale"));
    assert_int_equal(cl->clCreateKernelsInProgram(p, 0, NULL, &n), CL_SUCCESS);
    assert_int_equal(n, 2);
    cl_kernel k[2];
    assert_int_equal(cl->clCreateKernelsInProgram(p, 1, k, &n), CL_INVALID_VALUE);
    assert_int_equal(cl->clCreateKernelsInProgram(p, 2, k, &n), CL_SUCCESS);
    cl->clReleaseKernel(k[0]);
    cl->clReleaseKernel(k[1]);
    cl_kernel s = fixture_kernel(p, "scale"), t = fixture_kernel(p, "second");
    cl->clGetKernelArgInfo(s, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, NULL);
    assert_string_equal(text, "int*");
    cl->clGetKernelArgInfo(s, 1, CL_KERNEL_ARG_NAME, sizeof text, text, NULL);
    assert_string_equal(text, "by");
    cl_kernel_arg_type_qualifier q;
    cl->clGetKernelArgInfo(s, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof q, &q, NULL);
    assert_int_equal(q, CL_KERNEL_ARG_TYPE_RESTRICT);
    cl_kernel_arg_address_qualifier a;
    cl->clGetKernelArgInfo(t, 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof a, &a, NULL);
    assert_int_equal(a, CL_KERNEL_ARG_ADDRESS_CONSTANT);
    cl->clGetKernelArgInfo(t, 1, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof a, &a, NULL);
    assert_int_equal(a, CL_KERNEL_ARG_ADDRESS_LOCAL);
    cl_ulong local;
    cl->clSetKernelArg(t, 1, 100, NULL);
    cl->clGetKernelWorkGroupInfo(t, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
    assert_true(local >= 100);
    cl->clReleaseKernel(s);
    cl->clReleaseKernel(t);
    assert_int_equal(cl->clBuildProgram(p, 1, &device, "", NULL, NULL),
                     CL_SUCCESS); // again: no kernels are left
    cl->clReleaseProgram(p);
}

static cl_ulong memory_of(cl_program p, const char *kernel, cl_kernel_work_group_info what)
{
    cl_kernel k = fixture_kernel(p, kernel);
    cl_ulong n = 0;
    assert_int_equal(cl->clGetKernelWorkGroupInfo(k, device, what, sizeof n, &n, NULL), CL_SUCCESS);
    cl->clReleaseKernel(k);
    return n;
}

// Local and private memory are reported for each kernel: its own, and those of kernels and
// functions that it calls.
static void memory_sizes_are_of_the_kernel(void **state)
{
    cl_program p = fixture_program(
        "int sum(global int *a) { int t[8]; for (int k = 0; k < 8; k++) t[k] = a[k]; return t[a[0] "
        "& 7]; }\n"
        "kernel void none(global int *a) { }\n"
        "kernel void small(global int *a) { local int t[4]; t[get_local_id(0) & 3] = 1; }\n"
        "kernel void large(global int *a) { local int t[100]; local char c[3]; t[get_local_id(0)] "
        "= 1; c[0] = 1; }\n"
        "kernel void both(global int *a) { large(a); small(a); }\n"
        "kernel void deep(global int *a) { both(a); }\n"
        "kernel void arrays(global int *a) { float x[10]; x[a[0]] = 1; a[1] = x[a[2]]; }\n"
        "kernel void calls(global int *a) { a[0] = sum(a); }\n");
    assert_int_equal(memory_of(p, "none", CL_KERNEL_LOCAL_MEM_SIZE), 0);
    assert_int_equal(memory_of(p, "small", CL_KERNEL_LOCAL_MEM_SIZE), 16);
    assert_int_equal(memory_of(p, "large", CL_KERNEL_LOCAL_MEM_SIZE), 403);
    assert_in_range(memory_of(p, "both", CL_KERNEL_LOCAL_MEM_SIZE), 419, 424);
    assert_in_range(memory_of(p, "deep", CL_KERNEL_LOCAL_MEM_SIZE), 419, 424);
    const cl_ulong none = memory_of(p, "none", CL_KERNEL_PRIVATE_MEM_SIZE);
    assert_int_equal(none, sizeof(void *)); // its parameter
    assert_in_range(memory_of(p, "arrays", CL_KERNEL_PRIVATE_MEM_SIZE), none + 40, none + 48);
    assert_in_range(memory_of(p, "calls", CL_KERNEL_PRIVATE_MEM_SIZE), 2 * none + 36,
                    2 * none + 48);
    cl->clReleaseProgram(p);
}

static void *build_thread(void *arg)
{
    cl_program p = fixture_program(scale);
    cl_command_queue q = cl->clCreateCommandQueue(context, device, 0, NULL);
    cl_kernel k = fixture_kernel(p, "scale");
    cl_mem m = fixture_buffer(64 * sizeof(int));
    intptr_t bad = 0;
    cl->clSetKernelArg(k, 0, sizeof m, &m);
    for (int by = 0; by < 100; by++) {
        int got[64];
        cl->clSetKernelArg(k, 1, sizeof by, &by);
        bad |= cl->clEnqueueNDRangeKernel(q, k, 1, NULL, &(size_t){64}, NULL, 0, NULL, NULL);
        bad |= cl->clEnqueueReadBuffer(q, m, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL);
        bad |= got[63] != 63 * by;
    }
    cl->clReleaseMemObject(m);
    cl->clReleaseKernel(k);
    cl->clReleaseCommandQueue(q);
    cl->clReleaseProgram(p);
    return (void *)bad;
}

static void eight_threads_build_and_launch(void **state)
{
    pthread_t t[8];
    for (int i = 0; i < 8; i++)
        assert_int_equal(pthread_create(&t[i], NULL, build_thread, NULL), 0);
    for (int i = 0; i < 8; i++) {
        void *bad;
        pthread_join(t[i], &bad);
        assert_null(bad);
    }
}

static long resident_pages(void)
{
    long size = 0, pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%ld %ld", &size, &pages) != 2) pages = -1;
    if (f) fclose(f);
    return pages;
}

static void ten_thousand_launches_keep_memory_flat(void **state)
{
    if (getenv("CLDBG_TEST_VALGRIND")) skip(); // whose own memory is resident, too
    cl_program p = fixture_program(scale);
    cl_kernel k = fixture_kernel(p, "scale");
    cl_mem m = fixture_buffer(64 * sizeof(int));
    int by = 1;
    cl->clSetKernelArg(k, 0, sizeof m, &m);
    cl->clSetKernelArg(k, 1, sizeof by, &by);
    long before = 0;
    for (int i = 0; i < 10000; i++) {
        if (i == 2000) before = resident_pages();
        cl_event e;
        assert_int_equal(
            cl->clEnqueueNDRangeKernel(queue, k, 1, NULL, &(size_t){64}, NULL, 0, NULL, &e),
            CL_SUCCESS);
        if (i % 64 == 0) cl->clFinish(queue);
        cl->clReleaseEvent(e);
    }
    cl->clFinish(queue);
    assert_true(before > 0);
#ifndef SANITIZED // which remember what threads did, and what was freed
    assert_in_range(resident_pages(), 0, before + 256); // 1 MiB
#endif
    cl->clReleaseKernel(k);
    cl->clReleaseMemObject(m);
    cl->clReleaseProgram(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(broken_source),
        cmocka_unit_test(binaries),
        cmocka_unit_test(parts_linked),
        cmocka_unit_test(headers_of_linked_parts),
        cmocka_unit_test(inline_bodies_of_linked_parts),
        cmocka_unit_test(queries),
        cmocka_unit_test(memory_sizes_are_of_the_kernel),
        cmocka_unit_test(eight_threads_build_and_launch),
        cmocka_unit_test(ten_thousand_launches_keep_memory_flat),
    };
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
