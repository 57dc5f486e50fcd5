// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=iota
// DUMP 0: [i * 5 for i in range(4)]
// OUTPUT: item 2 has 10 and 2.50
kernel void say(global int *a)
{
    int i = get_global_id(0);
    a[i] *= 5;
    printf("item %d has %d and %.2f\n", i, a[i], a[i] * 0.25f);
}
