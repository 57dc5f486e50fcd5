// SPDX-License-Identifier: MIT
// RUN: --global=2 --local=2 --arg=uchar[40]=iota --arg=int[2]=0
// DUMP 1: None
kernel void cast(global const uchar *a, global int *out)
{
    int i = get_global_id(0);
    int4 v = vload4(i, (global const int *)(a + 2)); // EXPECT misaligned-access 'a'
    out[i] = v.x;
}
