// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=float[32]=0 --arg=float[8]=iota
// vstore4 at a stride of three: each writes the first element of the next.
kernel void k(global float *x, global const float *y)
{
    const int i = get_global_id(0);
    vstore4((float4)(1, 2, 3, 4) * y[i], 0, x + 3 * i); // EXPECT data-race 'x'
}
