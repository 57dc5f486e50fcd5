// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
// DUMP 0: [i for i in range(16)]
struct s { int used, not_used[3]; };
kernel void k(global int *a)
{
    struct s s, t;
    s.used = get_global_id(0);
    t = s;
    a[get_global_id(0)] = t.used;
}
