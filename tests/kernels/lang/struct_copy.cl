// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[24]=iota --arg=int[24]=0
// DUMP 1: [3 * (7 - k // 3) + k % 3 for k in range(24)]
struct tri {
    int v[3];
};
kernel void copy(global const struct tri *in, global struct tri *out)
{
    int i = get_global_id(0);
    struct tri t = in[7 - i];
    out[i] = t;
}
