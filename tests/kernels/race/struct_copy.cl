// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[64]=iota --arg=int[64]=0
struct four { int a, b, c, d; };
kernel void copy(global const struct four *in, global struct four *out)
{
    int i = get_global_id(0);
    out[i / 2] = in[i]; // EXPECT data-race
}
