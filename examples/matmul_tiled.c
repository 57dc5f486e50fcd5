// SPDX-License-Identifier: MIT
// Matrix multiplication by tiles in local memory. With --bug the second of the two barriers is
// missing: a fast work-item overwrites the tile that a slow one still reads.
#include "examples/example.h"

enum { N = 64, TILE = 16 };

int main(int argc, char **argv)
{
    struct example e;
    example_begin(&e, argc, argv, 1);
    static float a[N][N], b[N][N], c[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = i - j;
            b[i][j] = (i * 7 + j) % 5;
        }
    cl_mem ma = example_buffer(&e, CL_MEM_READ_ONLY, sizeof a, a);
    cl_mem mb = example_buffer(&e, CL_MEM_READ_ONLY, sizeof b, b);
    cl_mem mc = example_buffer(&e, CL_MEM_WRITE_ONLY, sizeof c, NULL);
    cl_uint n = N;
    cl_kernel k = example_kernel_from_file(&e, "matmul_tiled.cl", "matmul");
    example_args(k, 4, sizeof ma, &ma, sizeof mb, &mb, sizeof mc, &mc, sizeof n, &n);
    size_t global[2] = {N, N}, local[2] = {TILE, TILE};
    example_launch(&e, k, 2, global, local);
    example_read(&e, mc, sizeof c, c);

    bool right = true;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0; // the values are small whole numbers, so float is exact in any order
            for (int l = 0; l < N; l++) sum += a[i][l] * b[l][j];
            right &= c[i][j] == sum;
        }
    clReleaseMemObject(ma);
    clReleaseMemObject(mb);
    clReleaseMemObject(mc);
    clReleaseKernel(k);
    return example_end(&e, right, "product of two matrices of 64*64");
}
