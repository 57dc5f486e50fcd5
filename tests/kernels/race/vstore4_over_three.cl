// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=float[25]=0
kernel void k(global float *a)
{
    vstore4((float4)(1, 2, 3, get_global_id(0)), 0, a + 3 * get_global_id(0)); // EXPECT data-race 'a'
}
