// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
// DUMP 0: [i // 2 for i in range(16)]
kernel void k(global int *a)
{
    int i = get_global_id(0), found = 0, at;
    for (int j = 0; j < 16; j++)
        if (j == i / 2) {
            at = j;
            found = 1;
            break;
        }
    a[i] = found ? at : -1;
}
