// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[7]=iota
// DUMP 0: [i + 5 for i in range(7)]
// SAYS: in 'put' called from
void put(global int *p, int at, int x)
{
    p[at] = x; // EXPECT out-of-bounds 'a'
}
kernel void call(global int *a)
{
    int i = get_global_id(0);
    put(a, i, i + 5);
}
