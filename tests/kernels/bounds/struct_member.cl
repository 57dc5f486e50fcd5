// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[22]=iota --arg=int[8]=0
// DUMP 1: [3 * i + 2 if i < 7 else 0 for i in range(8)]
// SAYS: read of 4 bytes
struct tri {
    int a, b, c;
};
kernel void members(global const struct tri *t, global int *out)
{
    int i = get_global_id(0);
    out[i] = t[i].c; // EXPECT out-of-bounds 't'
}
