// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
// DUMP 0: [i + 3 for i in range(16)]
kernel void k(global int *a)
{
    int i = get_global_id(0), last;
    for (int j = 0; j < 4; j++) {
        if (j > 0) a[i] += last;
        last = j;
    }
}
