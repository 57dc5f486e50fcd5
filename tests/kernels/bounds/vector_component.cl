// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[14]=iota
// DUMP 0: [k if k % 4 != 3 else 50 + k // 4 for k in range(14)]
// Only the last component of the last vector is outside.
kernel void last(global int4 *v)
{
    int i = get_global_id(0);
    v[i].w = 50 + i; // EXPECT out-of-bounds 'v'
}
