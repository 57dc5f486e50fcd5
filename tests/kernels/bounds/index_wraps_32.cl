// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[16]=iota
// DUMP 0: list(range(16))
// An unsigned 0 - 1 is a far index, not -1.
kernel void wrap(global int *a)
{
    uint i = get_global_id(0);
    if (i == 0)
        a[i - 1] = 5; // EXPECT out-of-bounds 'a'
}
