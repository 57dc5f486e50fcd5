// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[16]=iota
// DUMP 0: list(range(16))
kernel void far(global int *a)
{
    int i = get_global_id(0);
    a[-1000000 * (i + 1)] = 5; // EXPECT out-of-bounds 'a'
}
