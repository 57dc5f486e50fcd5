// SPDX-License-Identifier: MIT
// RUN: --global=60 --local=2 --arg=int[60]=0 --arg=int[30]=iota
// DUMP 0: [1000 * (i // 2) + 3 * (29 - i // 2) + (i // 2) * (i // 2 - 1) // 2 for i in range(60)]
// DUMP 1: None
// A group's id as argument, result, index of a uniform load, and bound of a loop in a callee.
__attribute__((noinline)) int which(void) { return get_group_id(0); }
__attribute__((noinline)) int below(int n)
{
    int s = 0;
    for (int k = 0; k < n; k++) s += k;
    return s;
}
__attribute__((noinline)) int at(global const int *p, int k) { return p[k]; }
kernel void calls(global int *out, global const int *in)
{
    int g = which();
    out[get_global_id(0)] = 1000 * g + 3 * at(in, get_num_groups(0) - 1 - g) + below(g);
}
