// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=float[12]=iota --arg=float[12]=0
// DUMP 1: [2 * k for k in range(12)]
// Three elements, not four: the last one ends with the object.
kernel void twice(global const float *a, global float *out)
{
    int i = get_global_id(0);
    vstore3(vload3(i, a) * 2.0f, i, out);
}
