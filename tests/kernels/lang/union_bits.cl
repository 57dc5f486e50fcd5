// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=float[8]=0,1,-1,2,0.5,-2,1024,-0.25 --arg=uint[8]=0
// DUMP 1: [bits(f) >> 23 for f in (0, 1, -1, 2, 0.5, -2, 1024, -0.25)]
union fu {
    float f;
    uint u;
};
kernel void exponent(global const float *a, global uint *out)
{
    int i = get_global_id(0);
    union fu x;
    x.f = a[i];
    out[i] = x.u >> 23;
}
