// SPDX-License-Identifier: MIT
// RUN: --global=6 --local=6 --arg=float[6]=0,1,-1,2,0,-0 --arg=int[6]=0
// DUMP 1: [1, 2, 2, 2, 1, 1]
// 0/0 is NaN, x/0 is infinite; floats divide without a finding.
kernel void specials(global const float *a, global int *out)
{
    int i = get_global_id(0);
    float x = a[i] / 0.0f;
    out[i] = isnan(x) ? 1 : isinf(x) ? 2 : 3;
}
