// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=4 --arg=int[4]=3,1,4,1 --arg=int[16]=0
// DUMP 1: [[3, 1, 4, 1][i % 4] * i for i in range(16)]
kernel void weigh(constant int *w, global int *out)
{
    int i = get_global_id(0);
    out[i] = w[i % 4] * i;
}
