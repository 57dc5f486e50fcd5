// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=float[8]=1e10 --arg=int[8]=0
kernel void k(global float *x, global int *o)
{
    int i = get_global_id(0);
    o[i] = (int)x[i]; // EXPECT invalid-conversion
}
