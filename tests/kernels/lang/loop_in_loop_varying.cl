// SPDX-License-Identifier: MIT
// RUN: --global=40 --local=8 --arg=int[40]=0
// DUMP 0: [sum(j * k for j in range(i % 7) for k in range(j)) for i in range(40)]
kernel void nest(global int *out)
{
    int i = get_global_id(0), s = 0;
    for (int j = 0; j < i % 7; j++)
        for (int k = 0; k < j; k++)
            s += j * k;
    out[i] = s;
}
