// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=iota
// DUMP 0: [0] * 4
struct rec {
    int a, b[8];
};
kernel void member(global int *a)
{
    int i = get_global_id(0);
    global struct rec *r = 0;
    a[i] = r->b[3]; // EXPECT null-dereference 'r'
}
