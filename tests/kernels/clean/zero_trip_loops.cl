// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=0
// DUMP 0: [sum(range(i - 8)) if i > 8 else 0 for i in range(16)]
kernel void sums(global int *out)
{
    int i = get_global_id(0), s = 0;
    for (int k = 0; k < i - 8; k++)
        s += k;
    while (s < 0)
        s++;
    out[i] = s;
}
