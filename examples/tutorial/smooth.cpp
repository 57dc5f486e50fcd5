// SPDX-License-Identifier: MIT
// Averages neighbors on a device, with the C++ bindings: smooth [--fixed]
#define CL_HPP_ENABLE_EXCEPTIONS
#define CL_HPP_TARGET_OPENCL_VERSION 120
#define CL_HPP_MINIMUM_OPENCL_VERSION 120
#include <CL/opencl.hpp>

#include <cstdio>
#include <cstring>
#include <vector>

static const char *const source = R"(
kernel void smooth(global const float *x, global float *out, int n)
{
    local float tile[64];
    int i = get_global_id(0), lid = get_local_id(0);
    if (i >= n) return;
    tile[lid] = x[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    float left = lid > 0 ? tile[lid - 1] : x[max(i - 1, 0)];
    out[i] = (left + tile[lid]) / 2;
}
)";

static const char *const fixed_source = R"(
kernel void smooth(global const float *x, global float *out, int n)
{
    local float tile[64];
    int i = get_global_id(0), lid = get_local_id(0);
    if (i < n) tile[lid] = x[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i >= n) return;
    float left = lid > 0 ? tile[lid - 1] : x[max(i - 1, 0)];
    out[i] = (left + tile[lid]) / 2;
}
)";

int main(int argc, char **argv)
{
    const bool fixed = argc > 1 && !std::strcmp(argv[1], "--fixed");
    const int n = 1000;
    cl::Context context(CL_DEVICE_TYPE_DEFAULT);
    cl::CommandQueue queue(context);
    cl::Program program(context, fixed ? fixed_source : source, true);
    std::vector<float> x(n, 2), out(n);
    cl::Buffer in(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, n * sizeof(float), x.data());
    cl::Buffer result(context, CL_MEM_WRITE_ONLY, n * sizeof(float));
    cl::KernelFunctor<cl::Buffer, cl::Buffer, int> smooth(program, "smooth");
    smooth(cl::EnqueueArgs(queue, cl::NDRange(1024), cl::NDRange(64)), in, result, n);
    queue.enqueueReadBuffer(result, CL_TRUE, 0, n * sizeof(float), out.data());
    std::printf("out[500]: %g\n", out[500]);
}
