// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=64 --arg=int[64]=0 --arg=int[64]=iota
// DUMP 0: [0 if i % 4 == 0 else 1000 // (i % 4) for i in range(64)]
// A lane that does not take the branch must not trap on its zero.
kernel void divide(global int *out, global const int *a)
{
    int i = get_global_id(0);
    int d = a[i] % 4;
    int r = 0;
    if (d != 0)
        r = 1000 / d;
    out[i] = r;
}
