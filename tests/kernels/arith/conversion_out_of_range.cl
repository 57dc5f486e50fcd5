// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=4 --arg='float[8]=1,2147483520,2147483648,nan,-5,-0.5,255.9,-2147483904' --arg=int[8]=0
// DUMP 1: [1, 2147483520, 2147483647, 0, -5, 0, 255, -2147483648]
// SAYS: float value 2.14748365e+09 is converted to int, which cannot hold it
// SAYS: int holds -2147483648 to 2147483647
// SAYS: 3 times in 2 work-groups
kernel void cut(global float *x, global int *out)
{
    int i = get_global_id(0);
    out[i] = (int)x[i]; // EXPECT invalid-conversion
}
