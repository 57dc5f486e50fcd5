// SPDX-License-Identifier: MIT
// SPV_INTEL_subgroups: shuffles and block accesses.
#include "tests/api/fixture.h"

#include <stdio.h>

// What the words below are, for spirv-as --target-env spv1.3:
//   OpCapability Addresses
//   OpCapability Linkage
//   OpCapability Kernel
//   OpCapability Int8
//   OpCapability Int64
//   OpCapability SubgroupShuffleINTEL
//   OpCapability SubgroupBufferBlockIOINTEL
//   OpExtension "SPV_INTEL_subgroups"
//   OpMemoryModel Physical64 OpenCL
//   OpEntryPoint Kernel %k "blocks"
//   %void = OpTypeVoid
//   %uint = OpTypeInt 32 0
//   %v4 = OpTypeVector %uint 4
//   %p = OpTypePointer CrossWorkgroup %uint
//   %fn = OpTypeFunction %void %p %p
//   %three = OpConstant %uint 3
//   %one = OpConstant %uint 1
//   %k = OpFunction %void None %fn
//   %o = OpFunctionParameter %p
//   %a = OpFunctionParameter %p
//   %l = OpLabel
//   %x = OpSubgroupBlockReadINTEL %v4 %a
//   %x0 = OpCompositeExtract %uint %x 0
//   %x1 = OpCompositeExtract %uint %x 1
//   %r0 = OpSubgroupShuffleINTEL %uint %x0 %three
//   %r1 = OpSubgroupShuffleDownINTEL %uint %x0 %x1 %three
//   %r2 = OpSubgroupShuffleUpINTEL %uint %x0 %x1 %three
//   %xr = OpSubgroupShuffleXorINTEL %v4 %x %one
//   %r3 = OpCompositeExtract %uint %xr 3
//   %w0 = OpCompositeInsert %v4 %r0 %x 0
//   %w1 = OpCompositeInsert %v4 %r1 %w0 1
//   %w2 = OpCompositeInsert %v4 %r2 %w1 2
//   %r = OpCompositeInsert %v4 %r3 %w2 3
//   OpSubgroupBlockWriteINTEL %o %r
//   OpReturn
//   OpFunctionEnd
static const uint32_t blocks[] = {
    0x7230203, 0x10300, 0x70000,    0x18,       0x0,        0x20011,    0x4,      0x20011, 0x5,
    0x20011,   0x6,     0x20011,    0x27,       0x20011,    0xb,        0x20011,  0x15c0,  0x20011,
    0x15c1,    0x6000a, 0x5f565053, 0x45544e49, 0x75735f4c, 0x6f726762, 0x737075, 0x3000e, 0x2,
    0x2,       0x5000f, 0x6,        0x1,        0x636f6c62, 0x736b,     0x20013,  0x2,     0x40015,
    0x3,       0x20,    0x0,        0x40017,    0x4,        0x3,        0x4,      0x40020, 0x5,
    0x5,       0x3,     0x50021,    0x6,        0x2,        0x5,        0x5,      0x4002b, 0x3,
    0x7,       0x3,     0x4002b,    0x3,        0x8,        0x1,        0x50036,  0x2,     0x1,
    0x0,       0x6,     0x30037,    0x5,        0x9,        0x30037,    0x5,      0xa,     0x200f8,
    0xb,       0x415c7, 0x4,        0xc,        0xa,        0x50051,    0x3,      0xd,     0xc,
    0x0,       0x50051, 0x3,        0xe,        0xc,        0x1,        0x515c3,  0x3,     0xf,
    0xd,       0x7,     0x615c4,    0x3,        0x10,       0xd,        0xe,      0x7,     0x615c5,
    0x3,       0x11,    0xd,        0xe,        0x7,        0x515c6,    0x4,      0x12,    0xc,
    0x8,       0x50051, 0x3,        0x13,       0x12,       0x3,        0x60052,  0x4,     0x14,
    0xf,       0xc,     0x0,        0x60052,    0x4,        0x15,       0x10,     0x14,    0x1,
    0x60052,   0x4,     0x16,       0x11,       0x15,       0x2,        0x60052,  0x4,     0x17,
    0x13,      0x16,    0x3,        0x315c8,    0x9,        0x17,       0x100fd,  0x10038};

// For spirv-as --target-env spv1.3:
//   OpCapability Addresses
//   OpCapability Linkage
//   OpCapability Kernel
//   OpCapability Int8
//   OpCapability Int64
//   OpCapability ImageBasic
//   OpCapability SubgroupImageBlockIOINTEL
//   OpExtension "SPV_INTEL_subgroups"
//   OpMemoryModel Physical64 OpenCL
//   OpEntryPoint Kernel %k "image_blocks"
//   %void = OpTypeVoid
//   %uint = OpTypeInt 32 0
//   %v2 = OpTypeVector %uint 2
//   %in = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly
//   %out = OpTypeImage %void 2D 0 0 0 0 Unknown WriteOnly
//   %fn = OpTypeFunction %void %in %out
//   %zero = OpConstant %uint 0
//   %one = OpConstant %uint 1
//   %four = OpConstant %uint 4
//   %from = OpConstantComposite %v2 %four %zero
//   %to = OpConstantComposite %v2 %zero %one
//   %k = OpFunction %void None %fn
//   %m = OpFunctionParameter %in
//   %n = OpFunctionParameter %out
//   %l = OpLabel
//   %x = OpSubgroupImageBlockReadINTEL %v2 %m %from
//   OpSubgroupImageBlockWriteINTEL %n %to %x
//   OpReturn
//   OpFunctionEnd
static const uint32_t image_blocks[] = {
    0x7230203,  0x10300,    0x70000, 0x11,    0x0,        0x20011,    0x4,        0x20011,
    0x5,        0x20011,    0x6,     0x20011, 0x27,       0x20011,    0xb,        0x20011,
    0xd,        0x20011,    0x15c2,  0x6000a, 0x5f565053, 0x45544e49, 0x75735f4c, 0x6f726762,
    0x737075,   0x3000e,    0x2,     0x2,     0x7000f,    0x6,        0x1,        0x67616d69,
    0x6c625f65, 0x736b636f, 0x0,     0x20013, 0x2,        0x40015,    0x3,        0x20,
    0x0,        0x40017,    0x4,     0x3,     0x2,        0xa0019,    0x5,        0x2,
    0x1,        0x0,        0x0,     0x0,     0x0,        0x0,        0x0,        0xa0019,
    0x6,        0x2,        0x1,     0x0,     0x0,        0x0,        0x0,        0x0,
    0x1,        0x50021,    0x7,     0x2,     0x5,        0x6,        0x4002b,    0x3,
    0x8,        0x0,        0x4002b, 0x3,     0x9,        0x1,        0x4002b,    0x3,
    0xa,        0x4,        0x5002c, 0x4,     0xb,        0xa,        0x8,        0x5002c,
    0x4,        0xc,        0x8,     0x9,     0x50036,    0x2,        0x1,        0x0,
    0x7,        0x30037,    0x5,     0xd,     0x30037,    0x6,        0xe,        0x200f8,
    0xf,        0x515c9,    0x4,     0x10,    0xd,        0xb,        0x415ca,    0xe,
    0xc,        0x10,       0x100fd, 0x10038};

enum { LANES = 32, N = 4 * LANES };

static void shuffles_and_blocks(void **state)
{
    char versions[200] = "";
    cl_int e;
    cl_uint a[N], got[N];
    cl->clGetDeviceInfo(device, CL_DEVICE_IL_VERSION, sizeof versions, versions, NULL);
    if (!*versions) {
        print_message("llvm-spirv is not installed\n");
        return;
    }
    cl_program p = cl->clCreateProgramWithIL(context, blocks, sizeof blocks, &e);
    assert_int_equal(e, CL_SUCCESS);
    assert_int_equal(cl->clBuildProgram(p, 1, &device, "", NULL, NULL), CL_SUCCESS);
    cl_kernel k = fixture_kernel(p, "blocks");
    cl_mem m[] = {fixture_buffer(sizeof got), fixture_buffer(sizeof a)};
    for (cl_uint i = 0; i < N; i++) a[i] = 1000 + i;
    for (cl_uint i = 0; i < 2; i++)
        assert_int_equal(cl->clSetKernelArg(k, i, sizeof m[i], &m[i]), CL_SUCCESS);
    assert_int_equal(cl->clEnqueueWriteBuffer(queue, m[1], CL_TRUE, 0, sizeof a, a, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(cl->clEnqueueNDRangeKernel(queue, k, 1, NULL, &(size_t){LANES},
                                                &(size_t){LANES}, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(
        cl->clEnqueueReadBuffer(queue, m[0], CL_TRUE, 0, sizeof got, got, 0, NULL, NULL),
        CL_SUCCESS);
    for (cl_uint l = 0; l < LANES; l++) {
        assert_int_equal(got[l], a[3]);
        assert_int_equal(got[LANES + l], a[l + 3]); // past the last lane follows the second value
        assert_int_equal(got[2 * LANES + l], a[LANES + l - 3]);
        assert_int_equal(got[3 * LANES + l], a[3 * LANES + (l ^ 1)]);
    }
    for (cl_uint i = 0; i < 2; i++) cl->clReleaseMemObject(m[i]);
    cl->clReleaseKernel(k);
    cl->clReleaseProgram(p);
}

static void blocks_of_images(void **state)
{
    enum { ROWS = 3, WIDTH = LANES + 1 };
    char versions[200] = "";
    cl_int e;
    cl_uint a[ROWS][WIDTH], got[ROWS][WIDTH] = {{0}};
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = ROWS};
    cl->clGetDeviceInfo(device, CL_DEVICE_IL_VERSION, sizeof versions, versions, NULL);
    if (!*versions) {
        print_message("llvm-spirv is not installed\n");
        return;
    }
    cl_program p = cl->clCreateProgramWithIL(context, image_blocks, sizeof image_blocks, &e);
    assert_int_equal(e, CL_SUCCESS);
    assert_int_equal(cl->clBuildProgram(p, 1, &device, "", NULL, NULL), CL_SUCCESS);
    cl_kernel k = fixture_kernel(p, "image_blocks");
    for (cl_uint y = 0; y < ROWS; y++)
        for (cl_uint x = 0; x < WIDTH; x++) a[y][x] = 0x01020304 * (WIDTH * y + x + 1);
    cl_mem m[] = {cl->clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format,
                                    &desc, a, NULL),
                  cl->clCreateImage(context, CL_MEM_WRITE_ONLY | CL_MEM_COPY_HOST_PTR, &format,
                                    &desc, got, NULL)};
    for (cl_uint i = 0; i < 2; i++)
        assert_int_equal(cl->clSetKernelArg(k, i, sizeof m[i], &m[i]), CL_SUCCESS);
    assert_int_equal(cl->clEnqueueNDRangeKernel(queue, k, 1, NULL, &(size_t){LANES},
                                                &(size_t){LANES}, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(cl->clEnqueueReadImage(queue, m[1], CL_TRUE, (size_t[]){0, 0, 0},
                                            (size_t[]){WIDTH, ROWS, 1}, 0, 0, got, 0, NULL, NULL),
                     CL_SUCCESS);
    for (cl_uint x = 0; x < WIDTH; x++) {
        assert_int_equal(got[0][x], 0);
        assert_int_equal(got[1][x], x < LANES ? a[0][x + 1] : 0);
        assert_int_equal(got[2][x], x < LANES ? a[1][x + 1] : 0);
    }
    for (cl_uint i = 0; i < 2; i++) cl->clReleaseMemObject(m[i]);
    cl->clReleaseKernel(k);
    cl->clReleaseProgram(p);
}

static void extensions_are_reported(void **state)
{
    static const char *const names[] = {"cl_intel_subgroups", "cl_intel_subgroups_char",
                                        "cl_intel_subgroups_short", "cl_intel_subgroups_long",
                                        "cl_intel_subgroup_local_block_io"};
    char text[4000] = " ";
    assert_int_equal(
        cl->clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof text - 2, text + 1, NULL),
        CL_SUCCESS);
    strcat(text, " ");
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[64];
        snprintf(name, sizeof name, " %s ", names[i]);
        assert_non_null(strstr(text, name));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(shuffles_and_blocks),
                                       cmocka_unit_test(blocks_of_images),
                                       cmocka_unit_test(extensions_are_reported)};
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
