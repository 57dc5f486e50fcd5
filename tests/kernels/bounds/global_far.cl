// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[16]=iota
// DUMP 0: list(range(16))
kernel void far(global int *a)
{
    long i = get_global_id(0);
    a[(i + 1) << 30] = 5; // EXPECT out-of-bounds 'a'
}
