// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=0
void parse(int x, int *to) { if (x) *to = x; }
kernel void k(global int *o)
{
    int v;
    parse(get_global_id(0), &v);
    o[get_global_id(0)] = v; // EXPECT uninitialized-read 'v'
}
