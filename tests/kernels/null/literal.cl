// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=iota
// DUMP 0: [i + 1 for i in range(4)]
kernel void literal(global int *a)
{
    int i = get_global_id(0);
    global int *p = 0;
    if (i == 2)
        *p = 5; // EXPECT null-dereference 'p'
    a[i]++;
}
