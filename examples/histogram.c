// SPDX-License-Identifier: MIT
// A histogram in global memory. With --bug the bins are counted up without an atomic operation.
#include "examples/example.h"

enum { N = 4096, BINS = 256 };

int main(int argc, char **argv)
{
    struct example e;
    example_begin(&e, argc, argv, 1);
    static cl_uchar data[N];
    static cl_uint bins[BINS], want[BINS];
    for (int i = 0; i < N; i++) want[data[i] = i * 2654435761u >> 25]++;
    cl_mem mdata = example_buffer(&e, CL_MEM_READ_ONLY, sizeof data, data);
    cl_mem mbins = example_buffer(&e, CL_MEM_READ_WRITE, sizeof bins, bins);
    cl_kernel k = example_kernel_from_file(&e, "histogram.cl", "histogram");
    example_args(k, 2, sizeof mdata, &mdata, sizeof mbins, &mbins);
    size_t global = N;
    example_launch(&e, k, 1, &global, NULL);
    example_read(&e, mbins, sizeof bins, bins);

    bool right = true;
    for (int i = 0; i < BINS; i++) right &= bins[i] == want[i];
    clReleaseMemObject(mdata);
    clReleaseMemObject(mbins);
    clReleaseKernel(k);
    return example_end(&e, right, "histogram of 4096 bytes");
}
