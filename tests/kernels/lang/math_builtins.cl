// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=float[16]=0 --arg=float[16]=0
// DUMP 0: [math.floor(x) + 10 * math.ceil(x) + 100 * math.trunc(x) + abs(x) for i in range(16) for x in [(i - 8) * 0.375]]
// DUMP 1: [max(x, 0.5) + min(x, -0.5) + math.sin(x) + math.exp(x) for i in range(16) for x in [(i - 8) * 0.375]]
kernel void maths(global float *a, global float *b)
{
    int i = get_global_id(0);
    float x = (i - 8) * 0.375f;
    a[i] = floor(x) + 10 * ceil(x) + 100 * trunc(x) + fabs(x);
    b[i] = fmax(x, 0.5f) + fmin(x, -0.5f) + sin(x) + exp(x);
}
