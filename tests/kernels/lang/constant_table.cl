// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[32]=0
// DUMP 0: [[2, 3, 5, 7, 11, 13, 17, 19][i % 8] * [[1, 2, 3], [4, 5, 6]][i % 2][i % 3] for i in range(32)]
constant int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
constant int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
kernel void table(global int *out)
{
    int i = get_global_id(0);
    out[i] = primes[i % 8] * grid[i % 2][i % 3];
}
