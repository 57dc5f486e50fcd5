// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=undef --arg=int[16]=undef
// DUMP 0: [2 * i + (i == 0) for i in range(16)]
kernel void k(global int *a, global int *b)
{
    int i = get_global_id(0);
    a[i] = i;
    b[i] = a[i] * 2;
    a[i] = b[i] + (i ? 0 : 1);
}
