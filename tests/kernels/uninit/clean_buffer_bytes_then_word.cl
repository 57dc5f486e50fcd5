// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=undef --arg=int[4]=undef
// DUMP 1: [i + 1 for i in range(4)]
kernel void k(global int *a, global int *b)
{
    int i = get_global_id(0);
    global uchar *p = (global uchar *)(a + i);
    for (int j = 0; j < 4; j++) p[j] = j == 0 ? i : 0;
    b[i] = a[i];
    vstore4((char4)(1, 0, 0, 0), i, (global char *)a);
    b[i] += a[i];
}
