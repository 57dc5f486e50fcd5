// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=float[52]=0
// Four components for every three elements.
kernel void points(global float *out)
{
    int i = get_global_id(0);
    vstore4((float4)(i), 0, out + 3 * i); // EXPECT data-race 'out'
}
