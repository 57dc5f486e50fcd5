// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=0
// DUMP 0: [i * 1000 + (i + 2) * 100 + (i + 1) for i in range(16)]
kernel void order(global int *out)
{
    int i = get_global_id(0), k = i;
    int a = k++, b = ++k, c = (k--, k);
    out[i] = a * 1000 + b * 100 + c;
}
