// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=iota
// DUMP 0: [i for i in range(4)]
int get(local int *p)
{
    return *p; // EXPECT null-dereference 'p'
}
kernel void call(global int *a)
{
    a[get_global_id(0)] += get(0);
}
