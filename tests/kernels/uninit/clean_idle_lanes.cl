// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota --arg=int=5
// DUMP 0: [0, 1, 2, 103, 104] + list(range(5, 16))
kernel void k(global int *a, int n)
{
    local int t[8];
    int i = get_global_id(0), l = get_local_id(0), x;
    if (i < n) {
        t[l] = i;
        x = t[l];
        if (x > 2) a[i] = x + 100;
    }
}
