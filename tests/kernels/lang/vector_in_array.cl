// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
// DUMP 0: [(i % 4) * 10 + (i % 4 + 1) for i in range(8)]
kernel void table(global int *out)
{
    int i = get_global_id(0);
    int2 t[4];
    for (int k = 0; k < 4; k++)
        t[k] = (int2)(k, k + 1);
    int2 v = t[i % 4];
    out[i] = v.x * 10 + v.y;
}
