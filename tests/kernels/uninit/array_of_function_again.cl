// SPDX-License-Identifier: MIT
// A function's array has no value when it is called again.
// RUN: --global=4 --local=4 --arg=int[4]=0
int first_sets(int first, int k)
{
    int t[4];
    if (first) t[k & 3] = 1;
    return t[k & 3];
}
kernel void k(global int *o)
{
    int l = get_global_id(0);
    o[l] = first_sets(1, l);
    o[l] += first_sets(0, l); // EXPECT uninitialized-read 't'
}
