// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --arg=int[32]=iota
// DUMP 0: [5 if i % 5 == 0 else i for i in range(32)]
kernel void touch(global int *a)
{
    int i = get_global_id(0);
    long at = i % 5 == 0 ? i : 1L << 40;
    if (at < 32)
        a[at] = 5;
}
