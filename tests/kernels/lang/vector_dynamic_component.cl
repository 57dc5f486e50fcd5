// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=0
// DUMP 0: [(i % 4 + 1) * 11 for i in range(16)]
kernel void component(global int *out)
{
    int i = get_global_id(0);
    union {
        int4 v;
        int s[4];
    } u;
    u.v = (int4)(11, 22, 33, 44);
    out[i] = u.s[i % 4];
}
