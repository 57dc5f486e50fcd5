// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[17]=iota --arg=long[3]=5,6,7
// DUMP 0: [i if i < 16 else 16 + 7 for i in range(17)]
// The very last bytes of both objects.
kernel void ends(global int *a, global const long *b)
{
    if (get_global_id(0) == 15)
        a[16] += (int)b[2];
}
