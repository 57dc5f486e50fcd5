// SPDX-License-Identifier: MIT
// What transfers do, against naive loops; maps, sub-buffers, host memory, callbacks at the end of a
// buffer.
#include "tests/api/fixture.h"

#include <unistd.h>

static uint32_t seed = 1;
static size_t pick(size_t n) // 0 … n-1
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % n;
}

enum { N = 4096 };
static uint8_t model[N], other[N], host[N], got[N];

struct rect {
    size_t origin[3], row, slice;
};

static struct rect pick_rect(const size_t *region)
{
    struct rect r = {{pick(5), pick(3), pick(3)}, region[0] + 5 + pick(4), 0};
    r.slice = r.row * (region[1] + 3 + pick(3));
    return r;
}

static size_t at(const struct rect *r, size_t x, size_t y, size_t z)
{
    return (r->origin[2] + z) * r->slice + (r->origin[1] + y) * r->row + r->origin[0] + x;
}

static void rects_like_naive_loops(void **state)
{
    for (int round = 0; round < 200; round++) {
        for (int i = 0; i < N; i++) model[i] = pick(256), other[i] = pick(256), host[i] = pick(256);
        cl_int e;
        cl_mem m = cl->clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, N, model, &e);
        cl_mem o = cl->clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, N, other, &e);
        size_t region[3] = {1 + pick(9), 1 + pick(5), 1 + pick(4)};
        struct rect a = pick_rect(region), b = pick_rect(region);
        switch (round % 3) {
        case 0:
            assert_int_equal(cl->clEnqueueWriteBufferRect(queue, m, CL_TRUE, a.origin, b.origin,
                                                          region, a.row, a.slice, b.row, b.slice,
                                                          host, 0, NULL, NULL),
                             CL_SUCCESS);
            break;
        case 1:
            assert_int_equal(cl->clEnqueueReadBufferRect(queue, m, CL_TRUE, a.origin, b.origin,
                                                         region, a.row, a.slice, b.row, b.slice,
                                                         host, 0, NULL, NULL),
                             CL_SUCCESS);
            for (size_t z = 0; z < region[2]; z++)
                for (size_t y = 0; y < region[1]; y++)
                    for (size_t x = 0; x < region[0]; x++)
                        assert_int_equal(host[at(&b, x, y, z)], model[at(&a, x, y, z)]);
            break;
        case 2:
            assert_int_equal(cl->clEnqueueCopyBufferRect(queue, o, m, b.origin, a.origin, region,
                                                         b.row, b.slice, a.row, a.slice, 0, NULL,
                                                         NULL),
                             CL_SUCCESS);
            break;
        }
        const uint8_t *from = round % 3 == 0 ? host : other;
        if (round % 3 != 1)
            for (size_t z = 0; z < region[2]; z++)
                for (size_t y = 0; y < region[1]; y++)
                    for (size_t x = 0; x < region[0]; x++)
                        model[at(&a, x, y, z)] = from[at(&b, x, y, z)];
        assert_int_equal(cl->clEnqueueReadBuffer(queue, m, CL_TRUE, 0, N, got, 0, NULL, NULL),
                         CL_SUCCESS);
        assert_memory_equal(got, model, N);
        cl->clReleaseMemObject(m);
        cl->clReleaseMemObject(o);
    }
}

// The refusal of overlapping boxes is exactly "some byte is in both".
static void overlap_of_rects(void **state)
{
    cl_mem m = fixture_buffer(N);
    int refused = 0;
    for (int round = 0; round < 400; round++) {
        size_t region[3] = {1 + pick(6), 1 + pick(3), 1 + pick(2)}, row = 6 + pick(6),
               slice = row * (3 + pick(3));
        struct rect a = {{pick(12), pick(4), pick(3)}, row, slice},
                    b = {{pick(12), pick(4), pick(3)}, row, slice};
        if (row < region[0] || slice < row * region[1]) continue;
        memset(model, 0, N);
        int overlap = 0;
        for (int second = 0; second < 2; second++)
            for (size_t z = 0; z < region[2]; z++)
                for (size_t y = 0; y < region[1]; y++)
                    for (size_t x = 0; x < region[0]; x++) {
                        uint8_t *p = &model[at(second ? &b : &a, x, y, z)];
                        if (second) overlap |= *p;
                        else *p = 1;
                    }
        cl_int want = overlap ? CL_MEM_COPY_OVERLAP : CL_SUCCESS;
        assert_int_equal(cl->clEnqueueCopyBufferRect(queue, m, m, a.origin, b.origin, region, row,
                                                     slice, row, slice, 0, NULL, NULL),
                         want);
        refused += overlap;
    }
    cl->clFinish(queue);
    assert_in_range(refused, 20, 380);
    cl->clReleaseMemObject(m);
}

static void fill_repeats_the_pattern(void **state)
{
    for (size_t size = 1; size <= 128; size *= 2) {
        cl_mem m = fixture_buffer(N);
        for (size_t i = 0; i < size; i++) host[i] = pick(256);
        assert_int_equal(
            cl->clEnqueueFillBuffer(queue, m, host, size, size * 3, size * 7, 0, NULL, NULL),
            CL_SUCCESS);
        memset(model, 0, N);
        for (size_t i = 0; i < size * 7; i++) model[size * 3 + i] = host[i % size];
        cl->clEnqueueReadBuffer(queue, m, CL_TRUE, 0, N, got, 0, NULL, NULL);
        assert_memory_equal(got, model, N);
        cl->clReleaseMemObject(m);
    }
}

static cl_uint map_count(cl_mem m)
{
    cl_uint n;
    cl->clGetMemObjectInfo(m, CL_MEM_MAP_COUNT, sizeof n, &n, NULL);
    return n;
}

static void maps(void **state)
{
    cl_int e;
    cl_mem m = cl->clCreateBuffer(context, CL_MEM_USE_HOST_PTR, N, host, &e);
    void *a = cl->clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 100, 50, 0,
                                     NULL, NULL, &e);
    assert_ptr_equal(a, host + 100);
    void *b = cl->clEnqueueMapBuffer(queue, m, CL_TRUE, CL_MAP_READ, 0, N, 0, NULL, NULL, &e);
    assert_int_equal(map_count(m), 2);
    assert_int_equal(cl->clEnqueueUnmapMemObject(queue, m, a, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(cl->clEnqueueUnmapMemObject(queue, m, a, 0, NULL, NULL), CL_INVALID_VALUE);
    assert_int_equal(cl->clEnqueueUnmapMemObject(queue, m, b, 0, NULL, NULL), CL_SUCCESS);
    assert_int_equal(map_count(m), 0);
    cl->clFinish(queue);
    cl->clReleaseMemObject(m);
}

static void sub_buffers(void **state)
{
    cl_int e;
    cl_mem m = cl->clCreateBuffer(context, CL_MEM_READ_ONLY, N, NULL, &e);
    const cl_buffer_region r = {256, 128};
    cl_mem s = cl->clCreateSubBuffer(m, 0, CL_BUFFER_CREATE_TYPE_REGION, &r, &e);
    assert_int_equal(e, CL_SUCCESS);
    assert_null(
        cl->clCreateSubBuffer(s, 0, CL_BUFFER_CREATE_TYPE_REGION, &(cl_buffer_region){0, 8}, &e));
    assert_int_equal(e, CL_INVALID_MEM_OBJECT);
    assert_null(cl->clCreateSubBuffer(m, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &r, &e));
    assert_int_equal(e, CL_INVALID_VALUE);
    cl_mem parent;
    size_t offset;
    cl_mem_flags flags;
    cl->clGetMemObjectInfo(s, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof parent, &parent, NULL);
    cl->clGetMemObjectInfo(s, CL_MEM_OFFSET, sizeof offset, &offset, NULL);
    cl->clGetMemObjectInfo(s, CL_MEM_FLAGS, sizeof flags, &flags, NULL);
    assert_ptr_equal(parent, m);
    assert_int_equal(offset, 256);
    assert_int_equal(flags, CL_MEM_READ_ONLY);
    cl->clReleaseMemObject(m); // the part keeps it
    assert_int_equal(cl->clEnqueueWriteBuffer(queue, s, CL_TRUE, 0, 128, host, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(cl->clEnqueueWriteBuffer(queue, s, CL_TRUE, 1, 128, host, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    cl->clReleaseMemObject(s);
}

static int order[4], norder;
static void CL_CALLBACK on_end(cl_mem m, void *data) { order[norder++] = (int)(intptr_t)data; }

static void destructor_callbacks_last_first(void **state)
{
    cl_mem m = fixture_buffer(4);
    cl->clSetMemObjectDestructorCallback(m, on_end, (void *)1);
    cl->clSetMemObjectDestructorCallback(m, on_end, (void *)2);
    cl->clRetainMemObject(m);
    cl->clReleaseMemObject(m);
    assert_int_equal(norder, 0);
    cl->clReleaseMemObject(m);
    assert_true(norder == 2 && order[0] == 2 && order[1] == 1);
}

// A kernel does not keep its arguments from ending (bugzilla 6316 of Khronos); a command does.
static void callbacks_do_not_wait_for_kernels(void **state)
{
    cl_int e;
    cl_program p = fixture_program("kernel void k(global int *a) {}");
    cl_kernel k = fixture_kernel(p, "k"), twin = fixture_kernel(p, "k");
    cl_mem m = fixture_buffer(4);
    norder = 0;
    cl->clSetMemObjectDestructorCallback(m, on_end, (void *)1);
    assert_int_equal(cl->clSetKernelArg(k, 0, sizeof m, &m), CL_SUCCESS);
    assert_int_equal(cl->clSetKernelArg(k, 0, sizeof m, &m), CL_SUCCESS);
    assert_int_equal(cl->clSetKernelArg(twin, 0, sizeof m, &m), CL_SUCCESS);
    cl_kernel clone = cl->clCloneKernel(twin, &e);
    cl_event gate = cl->clCreateUserEvent(context, &e);
    const int zero = 0;
    assert_int_equal(cl->clEnqueueFillBuffer(loose, m, &zero, sizeof zero, 0, 4, 1, &gate, NULL),
                     CL_SUCCESS);
    cl->clReleaseMemObject(m);
    assert_int_equal(norder, 0); // the command has it
    cl->clSetUserEventStatus(gate, CL_COMPLETE);
    cl->clFinish(loose);
    for (int i = 0; i < 1000 && !__atomic_load_n(&norder, __ATOMIC_ACQUIRE); i++) usleep(1000);
    assert_int_equal(norder, 1);
    cl->clReleaseEvent(gate);
    cl_kernel all[] = {clone, k, twin};
    for (int i = 0; i < 3; i++) cl->clReleaseKernel(all[i]);
    cl->clReleaseProgram(p);
    assert_int_equal(norder, 1); // once
}

static void new_memory_is_zero(void **state)
{
    for (size_t size = 4; size <= 1 << 20; size *= 64) {
        uint8_t *all = malloc(size);
        cl_mem m = fixture_buffer(size);
        cl->clEnqueueReadBuffer(queue, m, CL_TRUE, 0, size, all, 0, NULL, NULL);
        for (size_t i = 0; i < size; i++) assert_int_equal(all[i], 0);
        cl->clReleaseMemObject(m);
        free(all);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rects_like_naive_loops),
        cmocka_unit_test(overlap_of_rects),
        cmocka_unit_test(fill_repeats_the_pattern),
        cmocka_unit_test(maps),
        cmocka_unit_test(sub_buffers),
        cmocka_unit_test(destructor_callbacks_last_first),
        cmocka_unit_test(callbacks_do_not_wait_for_kernels),
        cmocka_unit_test(new_memory_is_zero),
    };
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
