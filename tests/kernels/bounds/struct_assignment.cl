// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[12]=iota --arg=int[10]=0
// DUMP 1: [k for k in range(9)] + [None]
struct tri {
    int a, b, c;
};
kernel void copy(global const struct tri *in, global struct tri *out)
{
    int i = get_global_id(0);
    out[i] = in[i]; // EXPECT out-of-bounds 'out'
}
