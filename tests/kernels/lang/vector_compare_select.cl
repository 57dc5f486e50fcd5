// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[32]=iota --arg=int[32]=0
// DUMP 1: [k if k % 3 == 0 else -k for k in range(32)]
kernel void choose(global const int4 *a, global int4 *out)
{
    int i = get_global_id(0);
    int4 v = a[i];
    int4 m = v % 3 == 0;
    out[i] = m ? v : -v;
}
