// SPDX-License-Identifier: MIT
// c = a + b, with the kernel as a string. The number of elements is not a multiple of the
// work-group size, so the last group has work-items without an element. With --bug they access the
// buffers past their ends.
#include "examples/example.h"

static const char source[] = "kernel void vector_add(global const float *a, global const float *b, "
                             "global float *c, uint n)\n"
                             "{\n"
                             "    size_t i = get_global_id(0);\n"
                             "#ifndef BUG\n"
                             "    if (i >= n) return;\n"
                             "#endif\n"
                             "    c[i] = a[i] + b[i]; // bug 1: out-of-bounds\n"
                             "}\n";

enum { N = 1000, GROUP = 64 };

int main(int argc, char **argv)
{
    struct example e;
    example_begin(&e, argc, argv, 1);
    static float a[N], b[N], c[N];
    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = 2 * i + 1;
    }
    cl_mem ma = example_buffer(&e, CL_MEM_READ_ONLY, sizeof a, a);
    cl_mem mb = example_buffer(&e, CL_MEM_READ_ONLY, sizeof b, b);
    cl_mem mc = example_buffer(&e, CL_MEM_WRITE_ONLY, sizeof c, NULL);
    cl_uint n = N;
    cl_kernel k = example_kernel(&e, source, "vector_add");
    example_args(k, 4, sizeof ma, &ma, sizeof mb, &mb, sizeof mc, &mc, sizeof n, &n);
    size_t global = (N + GROUP - 1) / GROUP * GROUP, local = GROUP;
    example_launch(&e, k, 1, &global, &local);
    example_read(&e, mc, sizeof c, c);

    bool right = true;
    for (int i = 0; i < N; i++) right &= c[i] == 3 * i + 1;
    clReleaseMemObject(ma);
    clReleaseMemObject(mb);
    clReleaseMemObject(mc);
    clReleaseKernel(k);
    return example_end(&e, right, "sum of two vectors of 1000");
}
