// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int2[8]=0
kernel void k(global int2 *o)
{
    int i = get_global_id(0);
    o[i] = (int2)(7, 9) % (int2)(1, i); // EXPECT division-by-zero
}
