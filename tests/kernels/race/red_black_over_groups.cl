// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=float[18]=iota
// The same in two groups: the barrier does not hold the other group back.
kernel void k(global float *x)
{
    const int i = get_global_id(0) + 1;
    for (int round = 0; round < 8; round++) {
        if ((i ^ round) & 1) x[i] = 0.5f * (x[i - 1] + x[i + 1]); // EXPECT data-race 'x'
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
