// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
// DUMP 0: [3 * i for i in range(16)]
kernel void k(global int *a)
{
    int i = get_global_id(0), x, y = i, t;
    for (int j = 0; j < 3; j++) {
        t = y;
        if (j) t += x;
        x = t;
    }
    a[i] = x;
}
