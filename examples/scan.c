// SPDX-License-Identifier: MIT
// Running sums within work-groups, with a double buffer in local memory. With --bug the buffers are
// never swapped.
#include "examples/example.h"

enum { N = 1024, GROUP = 128 };

int main(int argc, char **argv)
{
    struct example e;
    example_begin(&e, argc, argv, 1);
    static cl_uint x[N], y[N];
    for (int i = 0; i < N; i++) x[i] = i * 2654435761u;
    cl_mem mx = example_buffer(&e, CL_MEM_READ_ONLY, sizeof x, x);
    cl_mem my = example_buffer(&e, CL_MEM_WRITE_ONLY, sizeof y, NULL);
    cl_kernel k = example_kernel_from_file(&e, "scan.cl", "scan");
    example_args(k, 2, sizeof mx, &mx, sizeof my, &my);
    size_t global = N, local = GROUP;
    example_launch(&e, k, 1, &global, &local);
    example_read(&e, my, sizeof y, y);

    bool right = true;
    cl_uint sum = 0;
    for (int i = 0; i < N; i++) {
        sum = (i % GROUP ? sum : 0) + x[i];
        right &= y[i] == sum;
    }
    clReleaseMemObject(mx);
    clReleaseMemObject(my);
    clReleaseKernel(k);
    return example_end(&e, right, "running sums in groups of 128");
}
