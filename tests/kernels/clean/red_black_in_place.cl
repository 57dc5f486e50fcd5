// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=float[18]=iota
// DUMP 0: [float(i) for i in range(18)]
// Every other element, with a barrier between the colors.
kernel void k(global float *x)
{
    const int i = get_global_id(0) + 1;
    for (int round = 0; round < 8; round++) {
        if ((i ^ round) & 1) x[i] = 0.5f * (x[i - 1] + x[i + 1]);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}
