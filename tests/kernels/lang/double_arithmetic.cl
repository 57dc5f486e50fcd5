// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=double[16]=iota --arg=double[16]=0
// DUMP 1: [math.sqrt(i) * 0.1 + 1.0 / (i + 3) for i in range(16)]
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void doubles(global const double *a, global double *out)
{
    int i = get_global_id(0);
    out[i] = sqrt(a[i]) * 0.1 + 1.0 / (a[i] + 3.0);
}
