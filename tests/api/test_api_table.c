// SPDX-License-Identifier: MIT
// Rules for all entry points, by tables: invalid handles, wait lists that are
// wrong, queries whose answer does not fit, sizes past the device's limits.
#include "tests/api/fixture.h"

#include <stdbool.h>
#include <stdio.h>

// ---- handles: every entry point of entry.def whose first argument is one

static const struct {
    const char *result, *name, *params;
    size_t slot;
} entries[] = {
#define ENTRY(ret, name, params, args)                                                             \
    {#ret, #name, #params, offsetof(struct _cl_icd_dispatch, name)},
#include "api/entry.def"
};

enum { TYPES = 9 };
static struct {
    const char *name;
    cl_int code;
    void *live, *released;
} types[TYPES] = {
    {.name = "cl_context", .code = CL_INVALID_CONTEXT},
    {.name = "cl_command_queue", .code = CL_INVALID_COMMAND_QUEUE},
    {.name = "cl_mem", .code = CL_INVALID_MEM_OBJECT},
    {.name = "cl_program", .code = CL_INVALID_PROGRAM},
    {.name = "cl_kernel", .code = CL_INVALID_KERNEL},
    {.name = "cl_event", .code = CL_INVALID_EVENT},
    {.name = "cl_sampler", .code = CL_INVALID_SAMPLER},
    {.name = "cl_device_id", .code = CL_INVALID_DEVICE},
    {.name = "cl_platform_id", .code = CL_INVALID_PLATFORM},
};

static cl_program made_program(void)
{
    return fixture_program("kernel void k(global int *a, read_only image2d_t i, sampler_t s) {}");
}

static void make_objects(void)
{
    cl_int e;
    types[8].live = platform;
    for (int round = 0; round < 2; round++) {
        cl_context c = cl->clCreateContext(NULL, 1, &device, NULL, NULL, &e);
        cl_program p = made_program();
        cl_device_id part;
        assert_int_equal(
            cl->clCreateSubDevices(
                device, (cl_device_partition_property[]){CL_DEVICE_PARTITION_BY_COUNTS, 1, 0, 0}, 1,
                &part, NULL),
            CL_SUCCESS);
        void *all[] = {
            c,
            cl->clCreateCommandQueue(context, device, 0, &e),
            fixture_buffer(64),
            p,
            fixture_kernel(p, "k"),
            cl->clCreateUserEvent(context, &e),
            cl->clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &e),
            part};
        for (unsigned t = 0; t < 8; t++) *(round ? &types[t].released : &types[t].live) = all[t];
    }
}

static void release(void *const *o)
{
    assert_int_equal(cl->clReleaseKernel(o[4]), CL_SUCCESS);
    assert_int_equal(cl->clReleaseProgram(o[3]), CL_SUCCESS);
    assert_int_equal(cl->clReleaseEvent(o[5]), CL_SUCCESS);
    assert_int_equal(cl->clReleaseSampler(o[6]), CL_SUCCESS);
    assert_int_equal(cl->clReleaseMemObject(o[2]), CL_SUCCESS);
    assert_int_equal(cl->clReleaseCommandQueue(o[1]), CL_SUCCESS);
    assert_int_equal(cl->clReleaseContext(o[0]), CL_SUCCESS);
    assert_int_equal(cl->clReleaseDevice(o[7]), CL_SUCCESS);
}

// All entry points take integers and pointers alone, of which those called take the first ones.
typedef uintptr_t any_fn(void *, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                         uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t, uintptr_t,
                         uintptr_t);

/** Calls with a handle and zeros; the code, and that no object came. */
static cl_int call(size_t i, void *handle)
{
    cl_int e = 1;
    uintptr_t a[14] = {0};
    unsigned n = 0, depth = 0;
    for (const char *p = entries[i].params; *p; p++) {
        depth += *p == '(';
        depth -= *p == ')';
        n += *p == ',' && depth == 1;
    }
    const bool has_errcode = strstr(entries[i].params, "errcode_ret");
    if (has_errcode) a[n] = (uintptr_t)&e;
    any_fn *fn = *(any_fn *const *)((const char *)cl + entries[i].slot);
    const uintptr_t r = fn(handle, a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10],
                           a[11], a[12], a[13]);
    if (!strcmp(entries[i].result, "cl_int")) return (cl_int)r;
    if (strcmp(entries[i].result, "void")) assert_true(r == 0);
    return has_errcode ? e : 1; // 1: it has no way to say it
}

static void every_handle_is_checked(void **state)
{
    char junk[512] = {0};
    unsigned called = 0, wrong = 0;
    make_objects();
    void *gone[8], *live[8];
    for (unsigned t = 0; t < 8; t++) gone[t] = types[t].released, live[t] = types[t].live;
    release(gone);
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++) {
        unsigned t = 0;
        const char *first = entries[i].params + 1;
        while (t < TYPES && (strncmp(first, types[t].name, strlen(types[t].name)) ||
                             first[strlen(types[t].name)] != ' '))
            t++;
        if (t == TYPES) continue;
        void *const bad[] = {NULL,
                             junk,
                             (void *)1,
                             (void *)~(uintptr_t)0,
                             (char *)types[t].live + 8,
                             types[t].released,
                             types[(t + 1) % 8].live};
        for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
            if (!bad[k] && (t == 8 || !strncmp(entries[i].name, "clSVM", 5)))
                continue; // the platform
            const cl_int code = call(i, bad[k]);
            called++;
            if (code == types[t].code || code == 1) continue;
            print_error("%s with bad handle %zu gives %d, not %d\n", entries[i].name, k, code,
                        types[t].code);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
    assert_true(called > 600);
    release(live);
}

// ---- wait lists: commands with images and shared memory, maps, launches

static void CL_CALLBACK nothing(void *data) {}

static void every_command_checks_its_wait_list(void **state)
{
    cl_int e;
    cl_context other = cl->clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    cl_event foreign = cl->clCreateUserEvent(other, &e), ours = cl->clCreateUserEvent(context, &e);
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    cl_mem a = cl->clCreateImage(context, 0, &format, &desc, NULL, &e),
           c = cl->clCreateImage(context, 0, &format, &desc, NULL, &e), b = fixture_buffer(64);
    cl_program p = fixture_program("kernel void k(global int *a) {}");
    cl_kernel k = fixture_kernel(p, "k");
    cl->clSetKernelArg(k, 0, sizeof b, &b);
    char *s = cl->clSVMAlloc(context, CL_MEM_READ_WRITE, 128, 0), host[64] = {0};
    const size_t zero[3] = {0}, one[3] = {1, 1, 1};
    void *map = cl->clEnqueueMapBuffer(queue, b, CL_TRUE, CL_MAP_READ, 0, 64, 0, NULL, NULL, &e);
    const struct {
        cl_uint n;
        const cl_event *list;
        cl_int code;
    } bad[] = {
        {0, &ours, CL_INVALID_EVENT_WAIT_LIST},
        {1, NULL, CL_INVALID_EVENT_WAIT_LIST},
        {1, (cl_event[]){NULL}, CL_INVALID_EVENT_WAIT_LIST},
        {1, (cl_event[]){(cl_event)(void *)queue}, CL_INVALID_EVENT_WAIT_LIST},
        {1, &foreign, CL_INVALID_CONTEXT},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const cl_uint n = bad[i].n;
        const cl_event *w = bad[i].list;
        const cl_int code = bad[i].code;
        NO(code, cl->clEnqueueReadImage(queue, a, CL_FALSE, zero, one, 0, 0, host, n, w, NULL));
        NO(code, cl->clEnqueueWriteImage(queue, a, CL_FALSE, zero, one, 0, 0, host, n, w, NULL));
        NO(code, cl->clEnqueueCopyImage(queue, a, c, zero, zero, one, n, w, NULL));
        NO(code, cl->clEnqueueFillImage(queue, a, host, zero, one, n, w, NULL));
        NO(code, cl->clEnqueueCopyImageToBuffer(queue, a, b, zero, one, 0, n, w, NULL));
        NO(code, cl->clEnqueueCopyBufferToImage(queue, b, a, 0, zero, one, n, w, NULL));
        NO_OBJECT(code, cl->clEnqueueMapImage(queue, a, CL_FALSE, CL_MAP_READ, zero, one,
                                              &(size_t){0}, NULL, n, w, NULL, &e));
        NO(code, cl->clEnqueueUnmapMemObject(queue, b, map, n, w, NULL));
        NO(code, cl->clEnqueueNDRangeKernel(queue, k, 1, NULL, one, NULL, n, w, NULL));
        NO(code, cl->clEnqueueTask(queue, k, n, w, NULL));
        NO(code, cl->clEnqueueNativeKernel(queue, nothing, NULL, 0, 0, NULL, NULL, n, w, NULL));
        NO(code, cl->clEnqueueSVMMap(queue, CL_FALSE, CL_MAP_READ, s, 64, n, w, NULL));
        NO(code, cl->clEnqueueSVMUnmap(queue, s, n, w, NULL));
        NO(code, cl->clEnqueueSVMMemcpy(queue, CL_FALSE, s, s + 64, 64, n, w, NULL));
        NO(code, cl->clEnqueueSVMMemFill(queue, s, host, 4, 64, n, w, NULL));
        NO(code, cl->clEnqueueSVMFree(queue, 1, (void *[]){s}, NULL, NULL, n, w, NULL));
        NO(code, cl->clEnqueueSVMMigrateMem(queue, 1, (const void *[]){s}, NULL, 0, n, w, NULL));
    }
    assert_int_equal(cl->clEnqueueUnmapMemObject(queue, b, map, 0, NULL, NULL), CL_SUCCESS);
    cl->clFinish(queue);
    cl->clSVMFree(context, s);
    cl_mem all[] = {a, b, c};
    for (int i = 0; i < 3; i++) cl->clReleaseMemObject(all[i]);
    cl->clReleaseKernel(k);
    cl->clReleaseProgram(p);
    cl->clReleaseEvent(foreign);
    cl->clReleaseEvent(ours);
    cl->clReleaseContext(other);
}

// ---- queries: an answer that does not fit, no place for it

typedef cl_int query_fn(void *, cl_uint, size_t, void *, size_t *);

static unsigned asked;

/**
 * All parameters from `first` to `last` that are one: each must answer so. `other`: where the
 * answer depends on more (CL_INVALID_…).
 */
static void ask(const char *name, query_fn *fn, void *object, cl_uint first, cl_uint last)
{
    static char answer[1 << 16];
    for (cl_uint param = first; param <= last; param++) {
        size_t size = 12345678, again = 0;
        const cl_int known = fn(object, param, 0, NULL, &size);
        if (known != CL_SUCCESS) continue;
        asked++;
        assert_true(size <= sizeof answer);
        if (fn(object, param, 0, NULL, NULL) != CL_SUCCESS)
            fail_msg("%s 0x%x: nobody wants the answer", name, param);
        if (size && fn(object, param, size - 1, answer, NULL) != CL_INVALID_VALUE)
            fail_msg("%s 0x%x: %zu bytes for %zu", name, param, size - 1, size);
        if (size && fn(object, param, 0, answer, &again) != CL_INVALID_VALUE)
            fail_msg("%s 0x%x: no bytes for %zu", name, param, size);
        memset(answer, 0x5a, sizeof answer);
        if (fn(object, param, size, answer, NULL) != CL_SUCCESS)
            fail_msg("%s 0x%x: its own size", name, param);
        assert_int_equal(answer[size], 0x5a);
        memset(answer, 0x5a, sizeof answer);
        if (fn(object, param, sizeof answer, answer, &again) != CL_SUCCESS || again != size)
            fail_msg("%s 0x%x: more than its size", name, param);
        assert_int_equal(answer[size], 0x5a);
    }
    if (fn(object, 0x6f6f, 0, NULL, NULL) != CL_INVALID_VALUE)
        fail_msg("%s: an unknown parameter", name);
}

static cl_program asked_program;
static cl_kernel asked_kernel;
static cl_int ask_build(void *o, cl_uint p, size_t n, void *v, size_t *r)
{
    return cl->clGetProgramBuildInfo(asked_program, device, p, n, v, r);
}
static cl_int ask_group(void *o, cl_uint p, size_t n, void *v, size_t *r)
{
    return cl->clGetKernelWorkGroupInfo(asked_kernel, device, p, n, v, r);
}
static cl_int ask_arg(void *o, cl_uint p, size_t n, void *v, size_t *r)
{
    return cl->clGetKernelArgInfo(asked_kernel, 1, p, n, v, r);
}
static cl_int ask_sub_group(void *o, cl_uint p, size_t n, void *v, size_t *r)
{
    static const size_t local[3] = {64, 1, 1};
    const bool of_range = p == CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE ||
                          p == CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE;
    return cl->clGetKernelSubGroupInfo(asked_kernel, device, p, of_range ? sizeof local : 0, local,
                                       n, v, r);
}

static void every_answer_has_its_size(void **state)
{
    cl_int e;
    make_objects();
    cl_event event;
    assert_int_equal(cl->clEnqueueMarkerWithWaitList(queue, 0, NULL, &event), CL_SUCCESS);
    cl->clWaitForEvents(1, &event);
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    cl_mem image = cl->clCreateImage(context, 0, &format, &desc, NULL, &e),
           pipe = cl->clCreatePipe(context, 0, 4, 4, NULL, &e);
    asked_program = types[3].live;
    asked_kernel = types[4].live;
#define ASK(function, object, first, last)                                                         \
    ask(#function, (query_fn *)cl->function, object, first, last)
    ASK(clGetPlatformInfo, platform, 0x0900, 0x0920);
    ASK(clGetDeviceInfo, device, 0x1000, 0x10ff);
    ASK(clGetDeviceInfo, types[7].live, 0x1000, 0x10ff);
    ASK(clGetContextInfo, types[0].live, 0x1080, 0x1090);
    ASK(clGetCommandQueueInfo, types[1].live, 0x1090, 0x10a0);
    ASK(clGetMemObjectInfo, types[2].live, 0x1100, 0x1110);
    ASK(clGetImageInfo, image, 0x1110, 0x1120);
    ASK(clGetPipeInfo, pipe, 0x1120, 0x1130);
    ASK(clGetSamplerInfo, types[6].live, 0x1150, 0x1160);
    ASK(clGetProgramInfo, types[3].live, 0x1160,
        0x1165); // (after these, binaries: where they are put is in the answer's place)
    ASK(clGetProgramInfo, types[3].live, 0x1167, 0x1170);
    ASK(clGetKernelInfo, types[4].live, 0x1190, 0x1195);
    ASK(clGetEventInfo, event, 0x11d0, 0x11d5);
    ASK(clGetEventProfilingInfo, event, 0x1280, 0x1285);
    ask("clGetProgramBuildInfo", ask_build, NULL, 0x1181, 0x1186);
    ask("clGetKernelWorkGroupInfo", ask_group, NULL, 0x11b0, 0x11b5);
    ask("clGetKernelArgInfo", ask_arg, NULL, 0x1196, 0x119a);
    ask("clGetKernelSubGroupInfo", ask_sub_group, NULL, 0x2033, 0x2034);
    ask("clGetKernelSubGroupInfo", ask_sub_group, NULL, 0x11b9,
        0x11ba); // (before these, as many sizes as fit)
    assert_true(asked > 250);
    cl->clReleaseEvent(event);
    cl->clReleaseMemObject(image);
    cl->clReleaseMemObject(pipe);
    for (int round = 0; round < 2; round++) {
        void *all[8];
        for (unsigned t = 0; t < 8; t++) all[t] = round ? types[t].released : types[t].live;
        release(all);
    }
}

// ---- sizes

static size_t limit(cl_device_info param)
{
    size_t n = 0;
    assert_int_equal(cl->clGetDeviceInfo(device, param, sizeof n, &n, NULL), CL_SUCCESS);
    return n;
}

static void sizes_past_the_limits(void **state)
{
    cl_int e;
    const cl_image_format format = {CL_R, CL_UNSIGNED_INT8};
    const size_t flat = limit(CL_DEVICE_IMAGE2D_MAX_WIDTH),
                 tall = limit(CL_DEVICE_IMAGE2D_MAX_HEIGHT),
                 wide3 = limit(CL_DEVICE_IMAGE3D_MAX_WIDTH),
                 tall3 = limit(CL_DEVICE_IMAGE3D_MAX_HEIGHT),
                 deep = limit(CL_DEVICE_IMAGE3D_MAX_DEPTH),
                 layers = limit(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE),
                 buffer = limit(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE);
    cl_mem small = fixture_buffer(64);
#define IMAGE(kind, w, h, d, n)                                                                    \
    .desc = {.image_type = CL_MEM_OBJECT_##kind,                                                   \
             .image_width = (w),                                                                   \
             .image_height = (h),                                                                  \
             .image_depth = (d),                                                                   \
             .image_array_size = (n)}
    const struct {
        cl_int code;
        cl_image_desc desc;
    } images[] = {
        {CL_INVALID_IMAGE_SIZE, IMAGE(IMAGE2D, flat + 1, 1, 0, 0)},
        {CL_INVALID_IMAGE_SIZE, IMAGE(IMAGE2D, 1, tall + 1, 0, 0)},
        {CL_INVALID_IMAGE_SIZE, IMAGE(IMAGE2D, 0, 1, 0, 0)},
        {CL_INVALID_IMAGE_SIZE, IMAGE(IMAGE2D, 1, 0, 0, 0)},
        {CL_INVALID_IMAGE_SIZE, IMAGE(IMAGE3D, wide3 + 1, 1, 1, 0)},
        {CL_INVALID_IMAGE_SIZE, IMAGE(IMAGE3D, 1, tall3 + 1, 1, 0)},
        {CL_INVALID_IMAGE_SIZE, IMAGE(IMAGE3D, 1, 1, deep + 1, 0)},
        {CL_INVALID_IMAGE_SIZE, IMAGE(IMAGE3D, 1, 1, 0, 0)},
        {CL_INVALID_IMAGE_SIZE, IMAGE(IMAGE1D, flat + 1, 0, 0, 0)},
        {CL_INVALID_IMAGE_SIZE, IMAGE(IMAGE1D, 0, 0, 0, 0)},
        {CL_INVALID_IMAGE_SIZE, IMAGE(IMAGE1D_ARRAY, 1, 0, 0, layers + 1)},
        {CL_INVALID_IMAGE_SIZE, IMAGE(IMAGE1D_ARRAY, 1, 0, 0, 0)},
        {CL_INVALID_IMAGE_SIZE, IMAGE(IMAGE2D_ARRAY, 1, 1, 0, layers + 1)},
        {CL_INVALID_IMAGE_SIZE, IMAGE(IMAGE2D_ARRAY, 1, 1, 0, 0)},
        {CL_INVALID_IMAGE_SIZE, IMAGE(IMAGE1D_BUFFER, buffer + 1, 0, 0, 0),
         .desc.mem_object = small},
        {CL_INVALID_IMAGE_SIZE, IMAGE(IMAGE1D_BUFFER, 65, 0, 0, 0), .desc.mem_object = small},
        {CL_INVALID_IMAGE_DESCRIPTOR, IMAGE(IMAGE1D_BUFFER, 4, 0, 0, 0)},
        {CL_INVALID_IMAGE_DESCRIPTOR, IMAGE(BUFFER, 4, 4, 0, 0)},
        {CL_INVALID_IMAGE_DESCRIPTOR, IMAGE(IMAGE2D, 4, 4, 0, 0), .desc.image_row_pitch = 8},
        {CL_INVALID_IMAGE_DESCRIPTOR, IMAGE(PIPE, 4, 4, 0, 0)},
        {CL_INVALID_IMAGE_DESCRIPTOR, IMAGE(IMAGE2D, 4, 4, 0, 0), .desc.num_mip_levels = 2},
        {CL_INVALID_IMAGE_DESCRIPTOR, IMAGE(IMAGE2D, 4, 4, 0, 0), .desc.num_samples = 4},
    };
    const cl_image_desc usual = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
    for (size_t i = 0; i < sizeof images / sizeof *images; i++) {
        e = 1;
        cl_mem m = cl->clCreateImage(context, 0, &format, &images[i].desc, NULL, &e);
        if (m || e != images[i].code) fail_msg("image %zu: %d, not %d", i, e, images[i].code);
    }
    NO_OBJECT(CL_INVALID_IMAGE_DESCRIPTOR, cl->clCreateImage(context, 0, &format, NULL, NULL, &e));
    NO_OBJECT(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
              cl->clCreateImage(context, 0, &(cl_image_format){CL_RGBA, CL_UNORM_SHORT_565}, &usual,
                                NULL, &e));
    NO_OBJECT(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
              cl->clCreateImage(context, 0, &(cl_image_format){CL_RGBA, 0x4242}, &usual, NULL, &e));
    NO_OBJECT(CL_INVALID_HOST_PTR,
              cl->clCreateImage(context, CL_MEM_USE_HOST_PTR, &format, &usual, NULL, &e));
    cl->clReleaseMemObject(small);
    // local memory: of the kernel and of its arguments, each alone and together
    cl_ulong local;
    char source[200];
    cl->clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
    for (int over = 0; over < 2; over++) {
        snprintf(source, sizeof source,
                 "kernel void k(local char *a, global char *o) { local char b[%llu]; b[0] = a[0] = "
                 "1; o[0] = b[0]; }",
                 (unsigned long long)local - 64 + over);
        cl_program p = fixture_program(source);
        cl_kernel k = fixture_kernel(p, "k");
        cl_mem o = fixture_buffer(1);
        assert_int_equal(cl->clSetKernelArg(k, 0, 64, NULL), CL_SUCCESS);
        assert_int_equal(cl->clSetKernelArg(k, 1, sizeof o, &o), CL_SUCCESS);
        assert_int_equal(
            cl->clEnqueueNDRangeKernel(queue, k, 1, NULL, (size_t[]){1}, NULL, 0, NULL, NULL),
            over ? CL_OUT_OF_RESOURCES : CL_SUCCESS);
        cl->clFinish(queue);
        cl->clReleaseMemObject(o);
        cl->clReleaseKernel(k);
        cl->clReleaseProgram(p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_handle_is_checked),
                                       cmocka_unit_test(every_command_checks_its_wait_list),
                                       cmocka_unit_test(every_answer_has_its_size),
                                       cmocka_unit_test(sizes_past_the_limits)};
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
