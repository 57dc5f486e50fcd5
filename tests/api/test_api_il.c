// SPDX-License-Identifier: MIT
// Programs in SPIR-V, with specialization constants. If no llvm-spirv is installed, cldbg reports
// that.
#include "tests/api/fixture.h"

#include <stdbool.h>

// What the words below are, for spirv-as:
//   OpCapability Addresses
//   OpCapability Linkage
//   OpCapability Kernel
//   OpCapability Int64
//   OpCapability Int8
//   %1 = OpExtInstImport "OpenCL.std"
//   OpMemoryModel Physical64 OpenCL
//   OpEntryPoint Kernel %k "fill" %gid
//   OpDecorate %gid BuiltIn GlobalInvocationId
//   OpDecorate %gid Constant
//   OpDecorate %times SpecId 7
//   OpDecorate %more SpecId 9
//   OpDecorate %add SpecId 11
//   %void = OpTypeVoid
//   %bool = OpTypeBool
//   %uint = OpTypeInt 32 0
//   %ulong = OpTypeInt 64 0
//   %float = OpTypeFloat 32
//   %v3 = OpTypeVector %ulong 3
//   %pin = OpTypePointer Input %v3
//   %pf = OpTypePointer CrossWorkgroup %float
//   %fn = OpTypeFunction %void %pf
//   %times = OpSpecConstant %uint 2
//   %more = OpSpecConstantTrue %bool
//   %add = OpSpecConstant %float 0.5
//   %zero = OpConstant %float 0
//   %gid = OpVariable %pin Input
//   %k = OpFunction %void None %fn
//   %out = OpFunctionParameter %pf
//   %entry = OpLabel
//   %ids = OpLoad %v3 %gid Aligned 32
//   %i = OpCompositeExtract %ulong %ids 0
//   %n = OpUConvert %uint %i
//   %m = OpIMul %uint %n %times
//   %f = OpConvertUToF %float %m
//   %s = OpSelect %float %more %add %zero
//   %r = OpFAdd %float %f %s
//   %p = OpInBoundsPtrAccessChain %pf %out %i
//   OpStore %p %r Aligned 4
//   OpReturn
//   OpFunctionEnd
static const uint32_t module[] = {
    0x7230203,  0x10000, 0x70000, 0x1b,    0,       0x20011, 4,       0x20011, 5,
    0x20011,    6,       0x20011, 0xb,     0x20011, 0x27,    0x5000b, 1,       0x6e65704f,
    0x732e4c43, 0x6474,  0x3000e, 2,       2,       0x6000f, 6,       2,       0x6c6c6966,
    0,          3,       0x40047, 3,       0xb,     0x1c,    0x30047, 3,       0x16,
    0x40047,    4,       1,       7,       0x40047, 5,       1,       9,       0x40047,
    6,          1,       0xb,     0x20013, 7,       0x20014, 8,       0x40015, 9,
    0x20,       0,       0x40015, 0xa,     0x40,    0,       0x30016, 0xb,     0x20,
    0x40017,    0xc,     0xa,     3,       0x40020, 0xd,     1,       0xc,     0x40020,
    0xe,        5,       0xb,     0x40021, 0xf,     7,       0xe,     0x40032, 9,
    4,          2,       0x30030, 8,       5,       0x40032, 0xb,     6,       0x3f000000,
    0x4002b,    0xb,     0x10,    0,       0x4003b, 0xd,     3,       1,       0x50036,
    7,          2,       0,       0xf,     0x30037, 0xe,     0x11,    0x200f8, 0x12,
    0x6003d,    0xc,     0x13,    3,       2,       0x20,    0x50051, 0xa,     0x14,
    0x13,       0,       0x40071, 9,       0x15,    0x14,    0x50084, 9,       0x16,
    0x15,       4,       0x40070, 0xb,     0x17,    0x16,    0x600a9, 0xb,     0x18,
    5,          6,       0x10,    0x50081, 0xb,     0x19,    0x17,    0x18,    0x50046,
    0xe,        0x1a,    0x11,    0x14,    0x5003e, 0x1a,    0x19,    2,       4,
    0x100fd,    0x10038,
};
enum { TIMES = 7, MORE = 9, ADD = 11, N = 8 };

static bool is_there(void)
{
    char versions[200] = "";
    assert_int_equal(
        cl->clGetDeviceInfo(device, CL_DEVICE_IL_VERSION, sizeof versions, versions, NULL),
        CL_SUCCESS);
    if (*versions) return true;
    cl_int e;
    assert_null(cl->clCreateProgramWithIL(context, module, sizeof module, &e));
    assert_int_equal(e, CL_INVALID_OPERATION);
    print_message("llvm-spirv is not installed\n");
    return false;
}

static cl_program program(void)
{
    cl_int e;
    cl_program p = cl->clCreateProgramWithIL(context, module, sizeof module, &e);
    assert_int_equal(e, CL_SUCCESS);
    return p;
}

static void computes(cl_program p, float times, float add)
{
    cl_kernel k = fixture_kernel(p, "fill");
    cl_mem m = fixture_buffer(N * sizeof(float));
    float got[N];
    assert_int_equal(cl->clSetKernelArg(k, 0, sizeof m, &m), CL_SUCCESS);
    assert_int_equal(
        cl->clEnqueueNDRangeKernel(queue, k, 1, NULL, &(size_t){N}, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    assert_int_equal(cl->clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL),
                     CL_SUCCESS);
    for (int i = 0; i < N; i++) assert_true(got[i] == (float)i * times + add);
    cl->clReleaseMemObject(m);
    cl->clReleaseKernel(k);
}

static void set(cl_program p, cl_uint id, size_t size, const void *value, cl_int code)
{
    assert_int_equal(cl->clSetProgramSpecializationConstant(p, id, size, value), code);
}

static void constants_count_from_the_next_build_on(void **state)
{
    if (!is_there()) return;
    cl_program p = program();
    const cl_uint five = 5;
    const cl_uchar no = 0;
    const float add = 0.25f;
    assert_int_equal(cl->clBuildProgram(p, 1, &device, "", NULL, NULL), CL_SUCCESS);
    computes(p, 2, 0.5f);
    set(p, TIMES, sizeof five, &five, CL_SUCCESS);
    set(p, ADD, sizeof add, &add, CL_SUCCESS);
    computes(p, 2, 0.5f);
    assert_int_equal(cl->clBuildProgram(p, 1, &device, "", NULL, NULL), CL_SUCCESS);
    computes(p, 5, 0.25f);
    set(p, MORE, sizeof no, &no, CL_SUCCESS);
    assert_int_equal(cl->clBuildProgram(p, 1, &device, "", NULL, NULL), CL_SUCCESS);
    computes(p, 5, 0);
    set(p, 8, sizeof five, &five, CL_INVALID_SPEC_ID);
    set(p, TIMES, 2, &five, CL_INVALID_VALUE);
    set(p, TIMES, sizeof five, NULL, CL_INVALID_VALUE);
    set(p, MORE, sizeof five, &five, CL_INVALID_VALUE);
    cl->clReleaseProgram(p);
    cl_program source = fixture_program("kernel void k() { }");
    set(source, TIMES, sizeof five, &five, CL_INVALID_PROGRAM);
    cl->clReleaseProgram(source);
}

static void the_module_is_given_back_compiled_and_linked(void **state)
{
    if (!is_there()) return;
    cl_int e;
    cl_program p = program();
    uint32_t got[sizeof module / 4];
    size_t size;
    assert_int_equal(cl->clGetProgramInfo(p, CL_PROGRAM_IL, sizeof got, got, &size), CL_SUCCESS);
    assert_int_equal(size, sizeof module);
    assert_memory_equal(got, module, size);
    assert_int_equal(cl->clGetProgramInfo(p, CL_PROGRAM_SOURCE, 0, NULL, &size), CL_SUCCESS);
    assert_int_equal(size, 1);
    assert_int_equal(cl->clCompileProgram(p, 1, &device, "", 0, NULL, NULL, NULL, NULL),
                     CL_SUCCESS);
    cl_program linked = cl->clLinkProgram(context, 1, &device, "", 1, &p, NULL, NULL, &e);
    assert_int_equal(e, CL_SUCCESS);
    computes(linked, 2, 0.5f);
    cl->clReleaseProgram(linked);
    cl->clReleaseProgram(p);
}

static void damaged_modules(void **state)
{
    if (!is_there()) return;
    cl_int e;
    uint32_t bad[sizeof module / 4];
    assert_null(cl->clCreateProgramWithIL(context, NULL, 4, &e));
    assert_int_equal(e, CL_INVALID_VALUE);
    assert_null(cl->clCreateProgramWithIL(context, module, 0, &e));
    assert_int_equal(e, CL_INVALID_VALUE);
    assert_null(cl->clCreateProgramWithIL(context, module, 42, &e)); // no whole number of words
    assert_int_equal(e, CL_INVALID_VALUE);
    assert_null(cl->clCreateProgramWithIL(context, "kernel void k() {}  ", 20, &e));
    assert_int_equal(e, CL_INVALID_VALUE);
    for (size_t words = 6; words < sizeof module / 4; words += 53) { // cut off
        cl_program p = cl->clCreateProgramWithIL(context, module, words * 4, &e);
        assert_int_equal(e, CL_SUCCESS);
        if (cl->clBuildProgram(p, 1, &device, "", NULL, NULL) ==
            CL_SUCCESS) { // it may still be a module, without the kernel
            assert_null(cl->clCreateKernel(p, "fill", &e));
        }
        cl->clReleaseProgram(p);
    }
    memcpy(bad, module, sizeof bad);
    bad[1] = 0x00990000; // of a version to come
    cl_program p = cl->clCreateProgramWithIL(context, bad, sizeof bad, &e);
    assert_int_equal(e, CL_SUCCESS);
    assert_int_not_equal(cl->clBuildProgram(p, 1, &device, "", NULL, NULL), CL_SUCCESS);
    size_t size;
    assert_int_equal(cl->clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size),
                     CL_SUCCESS);
    assert_true(size > 10);
    cl->clReleaseProgram(p);
}

// What the words below are, for spirv-as:
//   OpCapability Addresses
//   OpCapability Linkage
//   OpCapability Kernel
//   OpCapability Int8
//   OpCapability Int64
//   %1 = OpExtInstImport "OpenCL.std"
//   OpMemoryModel Physical64 OpenCL
//   OpEntryPoint Kernel %k "say"
//   OpDecorate %c SpecId 3
//   OpDecorate %str Constant
//   %void = OpTypeVoid
//   %char = OpTypeInt 8 0
//   %uint = OpTypeInt 32 0
//   %ulong = OpTypeInt 64 0
//   %four = OpConstant %uint 5
//   %arr = OpTypeArray %char %four
//   %parr = OpTypePointer UniformConstant %arr
//   %pchar = OpTypePointer UniformConstant %char
//   %pl = OpTypePointer CrossWorkgroup %ulong
//   %fn = OpTypeFunction %void %pl
//   %c = OpSpecConstant %ulong 5
//   %b0 = OpConstant %char 37
//   %b1 = OpConstant %char 108
//   %b2 = OpConstant %char 100
//   %b3 = OpConstant %char 10
//   %b4 = OpConstant %char 0
//   %text = OpConstantComposite %arr %b0 %b1 %b2 %b3 %b4
//   %zero = OpConstant %ulong 0
//   %str = OpVariable %parr UniformConstant %text
//   %k = OpFunction %void None %fn
//   %o = OpFunctionParameter %pl
//   %entry = OpLabel
//   %p = OpInBoundsPtrAccessChain %pchar %str %zero %zero
//   %r = OpExtInst %uint %1 printf %p %c
//   OpStore %o %c Aligned 8
//   OpReturn
//   OpFunctionEnd
static const uint32_t saying[] = {
    0x7230203,  0x10000, 0x70000, 0x1a,    0,       0x20011, 4,       0x20011, 5,
    0x20011,    6,       0x20011, 0x27,    0x20011, 0xb,     0x5000b, 1,       0x6e65704f,
    0x732e4c43, 0x6474,  0x3000e, 2,       2,       0x4000f, 6,       2,       0x796173,
    0x40047,    3,       1,       3,       0x30047, 4,       0x16,    0x20013, 5,
    0x40015,    6,       8,       0,       0x40015, 7,       0x20,    0,       0x40015,
    8,          0x40,    0,       0x4002b, 7,       9,       5,       0x4001c, 0xa,
    6,          9,       0x40020, 0xb,     0,       0xa,     0x40020, 0xc,     0,
    6,          0x40020, 0xd,     5,       8,       0x40021, 0xe,     5,       0xd,
    0x50032,    8,       3,       5,       0,       0x4002b, 6,       0xf,     0x25,
    0x4002b,    6,       0x10,    0x6c,    0x4002b, 6,       0x11,    0x64,    0x4002b,
    6,          0x12,    0xa,     0x4002b, 6,       0x13,    0,       0x8002c, 0xa,
    0x14,       0xf,     0x10,    0x11,    0x12,    0x13,    0x5002b, 8,       0x15,
    0,          0,       0x5003b, 0xb,     4,       0,       0x14,    0x50036, 5,
    2,          0,       0xe,     0x30037, 0xd,     0x16,    0x200f8, 0x17,    0x60046,
    0xc,        0x18,    4,       0x15,    0x15,    0x7000c, 7,       0x19,    1,
    0xb8,       0x18,    3,       0x5003e, 0x16,    3,       2,       8,       0x100fd,
    0x10038};
enum { SAID = 3 };

/** The module, in the other byte order if `swapped`; stores the constant and prints it. */
static int64_t said(bool swapped, const int64_t *value)
{
    uint32_t words[sizeof saying / sizeof *saying];
    int64_t got = 0;
    cl_int e;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        words[i] = swapped ? __builtin_bswap32(saying[i]) : saying[i];
    cl_program p = cl->clCreateProgramWithIL(context, words, sizeof words, &e);
    assert_int_equal(e, CL_SUCCESS);
    if (value) set(p, SAID, sizeof *value, value, CL_SUCCESS);
    assert_int_equal(cl->clBuildProgram(p, 1, &device, "", NULL, NULL), CL_SUCCESS);
    cl_kernel k = fixture_kernel(p, "say");
    cl_mem m = fixture_buffer(sizeof got);
    assert_int_equal(cl->clSetKernelArg(k, 0, sizeof m, &m), CL_SUCCESS);
    assert_int_equal(
        cl->clEnqueueNDRangeKernel(queue, k, 1, NULL, &(size_t){1}, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    assert_int_equal(cl->clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL),
                     CL_SUCCESS);
    cl->clReleaseMemObject(m);
    cl->clReleaseKernel(k);
    cl->clReleaseProgram(p);
    return got;
}

static void constants_of_64_bits_in_either_byte_order(void **state)
{
    (void)state;
    if (!is_there()) return;
    static const int64_t values[] = {0, 1, -1, INT64_MAX, INT64_MIN, 0x7ffffffffffffffe, 1ll << 32};
    for (int swapped = 0; swapped < 2; swapped++) {
        assert_int_equal(said(swapped, NULL), 5);
        for (size_t i = 0; i < sizeof values / sizeof *values; i++)
            assert_int_equal(said(swapped, &values[i]), values[i]);
    }
}

// What the words below are, for spirv-as --target-env spv1.6:
//   OpCapability Addresses
//   OpCapability Linkage
//   OpCapability Kernel
//   OpCapability Int64
//   OpCapability ExpectAssumeKHR
//   OpExtension "SPV_KHR_expect_assume"
//   OpMemoryModel Physical64 OpenCL
//   OpEntryPoint Kernel %k "later"
//   %void = OpTypeVoid
//   %ulong = OpTypeInt 64 0
//   %bool = OpTypeBool
//   %pl = OpTypePointer CrossWorkgroup %ulong
//   %fn = OpTypeFunction %void %pl
//   %zero = OpConstant %ulong 0
//   %three = OpConstant %ulong 3
//   %ten = OpConstant %ulong 10
//   %hundred = OpConstant %ulong 100
//   %k = OpFunction %void None %fn
//   %o = OpFunctionParameter %pl
//   %entry = OpLabel
//   %p = OpInBoundsPtrAccessChain %pl %o %three
//   %d = OpPtrDiff %ulong %p %o
//   %e = OpPtrEqual %bool %p %o
//   %n = OpPtrNotEqual %bool %p %o
//   OpAssumeTrueKHR %n
//   %s = OpSelect %ulong %e %hundred %zero
//   %t = OpSelect %ulong %n %ten %zero
//   %u = OpIAdd %ulong %s %d
//   %v = OpIAdd %ulong %u %t
//   %w = OpExpectKHR %ulong %v %ten
//   OpStore %o %w Aligned 8
//   OpReturn
//   OpFunctionEnd
static const uint32_t later[] = {
    0x7230203,  0x10600,    0x70000,    0x16,    0,       0x20011, 4,       0x20011,    5,
    0x20011,    6,          0x20011,    0xb,     0x20011, 0x15fd,  0x7000a, 0x5f565053, 0x5f52484b,
    0x65707865, 0x615f7463, 0x6d757373, 0x65,    0x3000e, 2,       2,       0x5000f,    6,
    1,          0x6574616c, 0x72,       0x20013, 2,       0x40015, 3,       0x40,       0,
    0x20014,    4,          0x40020,    5,       5,       3,       0x40021, 6,          2,
    5,          0x5002b,    3,          7,       0,       0,       0x5002b, 3,          8,
    3,          0,          0x5002b,    3,       9,       0xa,     0,       0x5002b,    3,
    0xa,        0x64,       0,          0x50036, 2,       1,       0,       6,          0x30037,
    5,          0xb,        0x200f8,    0xc,     0x50046, 5,       0xd,     0xb,        8,
    0x50193,    3,          0xe,        0xd,     0xb,     0x50191, 4,       0xf,        0xd,
    0xb,        0x50192,    4,          0x10,    0xd,     0xb,     0x215fe, 0x10,       0x600a9,
    3,          0x11,       0xf,        0xa,     7,       0x600a9, 3,       0x12,       0x10,
    9,          7,          0x50080,    3,       0x13,    0x11,    0xe,     0x50080,    3,
    0x14,       0x13,       0x12,       0x515ff, 3,       0x15,    0x14,    9,          0x5003e,
    0xb,        0x15,       2,          8,       0x100fd, 0x10038};

/** Of version 1.6: pointers compared and subtracted, an assumption, an expected value. */
static void later_instructions_are_lowered(void **state)
{
    (void)state;
    int64_t got[4] = {0};
    cl_int e;
    if (!is_there()) return;
    cl_program p = cl->clCreateProgramWithIL(context, later, sizeof later, &e);
    assert_int_equal(e, CL_SUCCESS);
    assert_int_equal(cl->clBuildProgram(p, 1, &device, "", NULL, NULL), CL_SUCCESS);
    cl_kernel k = fixture_kernel(p, "later");
    cl_mem m = fixture_buffer(sizeof got);
    assert_int_equal(cl->clSetKernelArg(k, 0, sizeof m, &m), CL_SUCCESS);
    assert_int_equal(
        cl->clEnqueueNDRangeKernel(queue, k, 1, NULL, &(size_t){1}, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    assert_int_equal(cl->clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL),
                     CL_SUCCESS);
    assert_int_equal(got[0], 3 + 10);
    cl->clReleaseMemObject(m);
    cl->clReleaseKernel(k);
    cl->clReleaseProgram(p);
}

// For spirv-as --target-env spv1.2:
//   OpCapability Addresses
//   OpCapability Linkage
//   OpCapability Kernel
//   OpCapability Int64
//   OpMemoryModel Physical64 OpenCL
//   OpEntryPoint Kernel %k "construct"
//   %void = OpTypeVoid
//   %uint = OpTypeInt 32 0
//   %float = OpTypeFloat 32
//   %v2 = OpTypeVector %uint 2
//   %v4 = OpTypeVector %uint 4
//   %f2 = OpTypeVector %float 2
//   %f4 = OpTypeVector %float 4
//   %pair = OpTypeStruct %uint %v2
//   %three = OpConstant %uint 3
//   %array = OpTypeArray %uint %three
//   %p = OpTypePointer CrossWorkgroup %uint
//   %p4 = OpTypePointer CrossWorkgroup %v4
//   %pf = OpTypePointer CrossWorkgroup %f4
//   %fn = OpTypeFunction %void %p %p4 %pf
//   %one = OpConstant %uint 1
//   %two = OpConstant %uint 2
//   %half = OpConstant %float 0.5
//   %k = OpFunction %void None %fn
//   %i = OpFunctionParameter %p
//   %o = OpFunctionParameter %p4
//   %f = OpFunctionParameter %pf
//   %l = OpLabel
//   %a = OpLoad %uint %i Aligned 4
//   %b = OpIAdd %uint %a %three
//   %x = OpCompositeConstruct %v2 %a %b
//   %v = OpCompositeConstruct %v4 %x %two %a
//   OpStore %o %v Aligned 16
//   %s = OpCompositeConstruct %pair %b %x
//   %sv = OpCompositeExtract %v2 %s 1
//   %s1 = OpCompositeExtract %uint %sv 1
//   %s0 = OpCompositeExtract %uint %s 0
//   %r = OpCompositeConstruct %array %s0 %one %a
//   %r1 = OpCompositeExtract %uint %r 1
//   %r2 = OpCompositeExtract %uint %r 2
//   %w = OpCompositeConstruct %v4 %s1 %r1 %r2 %s0
//   %o1 = OpInBoundsPtrAccessChain %p4 %o %one
//   OpStore %o1 %w Aligned 16
//   %fa = OpConvertUToF %float %a
//   %g = OpCompositeConstruct %f2 %half %fa
//   %h = OpCompositeConstruct %f4 %g %g
//   OpStore %f %h Aligned 16
//   OpReturn
//   OpFunctionEnd
static const uint32_t construct[] = {
    0x7230203, 0x10200,    0x70000,    0x27,    0x0,     0x20011, 0x4,     0x20011,    0x5,
    0x20011,   0x6,        0x20011,    0xb,     0x3000e, 0x2,     0x2,     0x6000f,    0x6,
    0x1,       0x736e6f63, 0x63757274, 0x74,    0x20013, 0x2,     0x40015, 0x3,        0x20,
    0x0,       0x30016,    0x4,        0x20,    0x40017, 0x5,     0x3,     0x2,        0x40017,
    0x6,       0x3,        0x4,        0x40017, 0x7,     0x4,     0x2,     0x40017,    0x8,
    0x4,       0x4,        0x4001e,    0x9,     0x3,     0x5,     0x4002b, 0x3,        0xa,
    0x3,       0x4001c,    0xb,        0x3,     0xa,     0x40020, 0xc,     0x5,        0x3,
    0x40020,   0xd,        0x5,        0x6,     0x40020, 0xe,     0x5,     0x8,        0x60021,
    0xf,       0x2,        0xc,        0xd,     0xe,     0x4002b, 0x3,     0x10,       0x1,
    0x4002b,   0x3,        0x11,       0x2,     0x4002b, 0x4,     0x12,    0x3f000000, 0x50036,
    0x2,       0x1,        0x0,        0xf,     0x30037, 0xc,     0x13,    0x30037,    0xd,
    0x14,      0x30037,    0xe,        0x15,    0x200f8, 0x16,    0x6003d, 0x3,        0x17,
    0x13,      0x2,        0x4,        0x50080, 0x3,     0x18,    0x17,    0xa,        0x50050,
    0x5,       0x19,       0x17,       0x18,    0x60050, 0x6,     0x1a,    0x19,       0x11,
    0x17,      0x5003e,    0x14,       0x1a,    0x2,     0x10,    0x50050, 0x9,        0x1b,
    0x18,      0x19,       0x50051,    0x5,     0x1c,    0x1b,    0x1,     0x50051,    0x3,
    0x1d,      0x1c,       0x1,        0x50051, 0x3,     0x1e,    0x1b,    0x0,        0x60050,
    0xb,       0x1f,       0x1e,       0x10,    0x17,    0x50051, 0x3,     0x20,       0x1f,
    0x1,       0x50051,    0x3,        0x21,    0x1f,    0x2,     0x70050, 0x6,        0x22,
    0x1d,      0x20,       0x21,       0x1e,    0x50046, 0xd,     0x23,    0x14,       0x10,
    0x5003e,   0x23,       0x22,       0x2,     0x10,    0x40070, 0x4,     0x24,       0x17,
    0x50050,   0x7,        0x25,       0x12,    0x24,    0x50050, 0x8,     0x26,       0x25,
    0x25,      0x5003e,    0x15,       0x26,    0x2,     0x10,    0x100fd, 0x10038};

/** Builds and runs the module; `s1`: the expected component 1 of the vector in the struct. */
static void run_construct(const uint32_t *words, size_t size, cl_uint s1)
{
    cl_int e;
    const cl_uint a = 40;
    cl_uint got[8];
    cl_float floats[4];
    cl_program p = cl->clCreateProgramWithIL(context, words, size, &e);
    assert_int_equal(e, CL_SUCCESS);
    assert_int_equal(cl->clBuildProgram(p, 1, &device, "", NULL, NULL), CL_SUCCESS);
    cl_kernel k = fixture_kernel(p, "construct");
    cl_mem m[] = {fixture_buffer(sizeof a), fixture_buffer(sizeof got),
                  fixture_buffer(sizeof floats)};
    assert_int_equal(cl->clEnqueueWriteBuffer(queue, m[0], CL_TRUE, 0, sizeof a, &a, 0, NULL, NULL),
                     CL_SUCCESS);
    for (cl_uint i = 0; i < 3; i++)
        assert_int_equal(cl->clSetKernelArg(k, i, sizeof m[i], &m[i]), CL_SUCCESS);
    assert_int_equal(
        cl->clEnqueueNDRangeKernel(queue, k, 1, NULL, &(size_t){1}, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    cl->clEnqueueReadBuffer(queue, m[1], CL_TRUE, 0, sizeof got, got, 0, NULL, NULL);
    cl->clEnqueueReadBuffer(queue, m[2], CL_TRUE, 0, sizeof floats, floats, 0, NULL, NULL);
    const cl_uint expected[] = {a, a + 3, 2, a, s1, 1, a, a + 3};
    for (unsigned i = 0; i < 8; i++) assert_int_equal(got[i], expected[i]);
    for (unsigned i = 0; i < 4; i++) assert_true(floats[i] == (i % 2 ? (cl_float)a : 0.5f));
    for (cl_uint i = 0; i < 3; i++) cl->clReleaseMemObject(m[i]);
    cl->clReleaseKernel(k);
    cl->clReleaseProgram(p);
}

/** OpCompositeConstruct of values that are not constants, with which llvm-spirv of LLVM 15 crashes.
 */
static void composites_are_constructed(void **state)
{
    if (is_there()) run_construct(construct, sizeof construct, 43);
}

enum { PARTS = 10 }; // words of %sv and %s1

/** The module with other words for %sv and %s1. */
static void run_with_parts(const uint32_t *parts, size_t n, cl_uint s1)
{
    static const uint32_t was[PARTS] = {0x50051, 5, 0x1c, 0x1b, 1, 0x50051, 3, 0x1d, 0x1c, 1};
    const size_t all = sizeof construct / sizeof *construct;
    uint32_t words[sizeof construct / sizeof *construct + 8];
    size_t at = 0;
    while (memcmp(construct + at, was, sizeof was)) at++;
    memcpy(words, construct, at * 4);
    memcpy(words + at, parts, n * 4);
    memcpy(words + at + n, construct + at + PARTS, (all - at - PARTS) * 4);
    words[3] = 0x28; // the bound: %27 is new
    run_construct(words, (all - PARTS + n) * 4, s1);
}

/** Indices through a struct into a vector, with which it crashes, too. */
static void parts_of_vectors(void **state)
{
    // %s1 = OpCompositeExtract %uint %s 1 1
    static const uint32_t extract[] = {0x60051, 3, 0x1d, 0x1b, 1, 1};
    // %27 = OpCompositeInsert %pair %a %s 1 1, and %s1 = OpCompositeExtract %uint %27 1 1
    static const uint32_t insert[] = {0x70052, 9, 0x27, 0x17, 0x1b, 1, 1,
                                      0x60051, 3, 0x1d, 0x27, 1,    1};
    if (!is_there()) return;
    run_with_parts(extract, sizeof extract / 4, 43);
    run_with_parts(insert, sizeof insert / 4, 40);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(constants_count_from_the_next_build_on),
        cmocka_unit_test(the_module_is_given_back_compiled_and_linked),
        cmocka_unit_test(damaged_modules),
        cmocka_unit_test(constants_of_64_bits_in_either_byte_order),
        cmocka_unit_test(later_instructions_are_lowered),
        cmocka_unit_test(composites_are_constructed),
        cmocka_unit_test(parts_of_vectors),
    };
    return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
