// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota --arg=int[1]=0
struct view {
    global int *at;
    int n;
};
void put(struct view v, int value)
{
    for (int i = 0; i < v.n; i++)
        v.at[i] = value; // EXPECT data-race 'x'
}
kernel void k(global int *x, global int *unused)
{
    struct view v = {x + get_local_id(0) / 2, 1};
    put(v, get_local_id(0));
}
