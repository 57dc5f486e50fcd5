// SPDX-License-Identifier: MIT
// RUN: --global=1 --local=1 --arg=double2[1]=0
// OUTPUT: 1.50,-2.00 0.25
// DUMP 0: [0.6, -0.8]
// half prints as a vector of %hf and as a number; a vector whose length overflows still has a direction.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void print(global double2 *r)
{
    half2 v = (half2)(1.5h, -2.0h);
    half x = 0.25h;
    printf("%.2v2hf %.2f\n", v, (float)x);
    *r = normalize((double2)(1.2e308, -1.6e308));
}
