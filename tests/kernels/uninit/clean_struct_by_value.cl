// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
// DUMP 0: [i + 1 for i in range(16)]
struct s { char c; int i; int rest; };
int get(struct s s) { return s.c + s.i; }
struct s make(int i)
{
    struct s s;
    s.c = 1;
    s.i = i;
    return s;
}
kernel void k(global int *a)
{
    a[get_global_id(0)] = get(make(get_global_id(0)));
}
