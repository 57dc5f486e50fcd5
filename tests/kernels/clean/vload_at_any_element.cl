// SPDX-License-Identifier: MIT
// RUN: --kernel=load --global=8 --local=8 --arg=float[16]=iota --arg=float[32]=0
// DUMP 1: [float(i // 4 + i % 4) for i in range(32)]
kernel void load(global const float *a, global float *o)
{
    int i = get_global_id(0);
    vstore4(vload4(0, a + i), i, o);
}
