// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=4 --arg=int[16]=0
// DUMP 0: [[5, 6, 0, 0][i % 4] + [[1, 2], [3, 0]][i % 2][i // 2 % 2] * 10 for i in range(16)]
kernel void init(global int *out)
{
    int i = get_global_id(0);
    int a[4] = {5, 6}, b[2][2] = {{1, 2}, {3}};
    out[i] = a[i % 4] + b[i % 2][i / 2 % 2] * 10;
}
