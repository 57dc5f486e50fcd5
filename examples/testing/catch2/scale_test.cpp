// SPDX-License-Identifier: MIT
// Catch2 tests of a kernel. It is wrong where n is not a multiple of the work-group size.
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>

// With cldbg's listener the test case that launches a wrong kernel fails.
#include <cldbg_catch2.h>

#include <vector>

static const char *const source = R"(
kernel void scale(global float *x, float factor)
{
    x[get_global_id(0)] *= factor;
}
)";

static std::vector<float> scale(std::vector<float> x, float factor)
{
    cl::Context context(CL_DEVICE_TYPE_DEFAULT);
    cl::CommandQueue queue(context);
    cl::Program program(context, source, true);
    cl::Buffer buffer(context, CL_MEM_COPY_HOST_PTR | CL_MEM_READ_WRITE, x.size() * sizeof(float), x.data());
    cl::KernelFunctor<cl::Buffer, float> kernel(program, "scale");
    kernel(cl::EnqueueArgs(queue, cl::NDRange((x.size() + 63) / 64 * 64), cl::NDRange(64)), buffer, factor);
    queue.enqueueReadBuffer(buffer, CL_TRUE, 0, x.size() * sizeof(float), x.data());
    return x;
}

TEST_CASE("multiple of the group") { CHECK(scale(std::vector<float>(128, 1), 3)[127] == 3); }

TEST_CASE("odd size") { CHECK(scale(std::vector<float>(100, 1), 3)[99] == 3); }

TEST_CASE("sections")
{
    SECTION("of the group") { CHECK(scale(std::vector<float>(64, 1), 3)[63] == 3); }
    SECTION("one more") { CHECK(scale(std::vector<float>(65, 1), 3)[64] == 3); }
}
