// SPDX-License-Identifier: MIT
// A sum by a tree in local memory. --bug leaves out the barrier between the levels of the tree;
// --bug=2 puts it into a branch that only the adding work-items take.
#include "examples/example.h"

enum { N = 4096, GROUP = 256, GROUPS = N / GROUP };

int main(int argc, char **argv)
{
    struct example e;
    example_begin(&e, argc, argv, 2);
    static cl_uint x[N], sums[GROUPS];
    cl_uint want = 0, got = 0;
    for (int i = 0; i < N; i++) want += x[i] = i * 2654435761u;
    cl_mem mx = example_buffer(&e, CL_MEM_READ_ONLY, sizeof x, x);
    cl_mem msums = example_buffer(&e, CL_MEM_WRITE_ONLY, sizeof sums, NULL);
    cl_kernel k = example_kernel_from_file(&e, "reduction.cl", "reduce");
    example_args(k, 3, sizeof mx, &mx, sizeof msums, &msums, GROUP * sizeof(cl_uint), NULL);
    size_t global = N, local = GROUP;
    example_launch(&e, k, 1, &global, &local);
    example_read(&e, msums, sizeof sums, sums);

    for (int i = 0; i < GROUPS; i++) got += sums[i];
    clReleaseMemObject(mx);
    clReleaseMemObject(msums);
    clReleaseKernel(k);
    return example_end(&e, got == want, "sum of 4096 numbers");
}
