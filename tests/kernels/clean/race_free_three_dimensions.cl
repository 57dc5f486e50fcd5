// SPDX-License-Identifier: MIT
// RUN: --global=4,4,4 --local=2,2,2 --arg=int[64]=0
// DUMP 0: [i % 4 + i // 4 % 4 + 3 * (i // 16) for i in range(64)]
kernel void fill(global int *out)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    out[x + 4 * y + 16 * z] = x + y + 3 * z;
}
