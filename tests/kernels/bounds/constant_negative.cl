// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=float[8]=0
// DUMP 0: [0, 0, 1.5, 2.5, 3.5, 0, 0, 0]
constant float w[3] = {1.5f, 2.5f, 3.5f};
kernel void look(global float *out)
{
    int i = get_global_id(0);
    out[i] = w[i - 2]; // EXPECT out-of-bounds 'w'
}
