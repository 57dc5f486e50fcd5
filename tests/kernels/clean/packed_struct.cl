// SPDX-License-Identifier: MIT
// RUN: --global=6 --local=6 --arg=uchar[30]=iota --arg=int[6]=0
// DUMP 1: [sum((5 * i + 1 + b) << (8 * b) for b in range(4)) + 5 * i for i in range(6)]
struct __attribute__((packed)) rec {
    uchar tag;
    int value;
};
kernel void unpack(global const struct rec *r, global int *out)
{
    int i = get_global_id(0);
    out[i] = r[i].value + r[i].tag;
}
