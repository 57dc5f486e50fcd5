// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --arg=int[32]=iota --arg=int=10
// DUMP 0: [sum(k * k if (i + k) % 3 == 0 else -k for k in range(10)) + i for i in range(32)]
kernel void body(global int *a, int n)
{
    int i = get_global_id(0), s = 0;
    for (int k = 0; k < n; k++) {
        if ((i + k) % 3 == 0)
            s += k * k;
        else
            s -= k;
    }
    a[i] += s;
}
