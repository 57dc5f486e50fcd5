// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[32]=0
// DUMP 0: ([None, 2, None] * 4) + [2] * 4 + [0] * 16
struct s { char c; int i; short h; };
kernel void k(global struct s *a)
{
    struct s s;
    s.c = 1;
    s.i = 2;
    s.h = 3;
    a[get_global_id(0)] = s;
    ((global int *)a)[12 + get_global_id(0)] = a[get_global_id(0)].i;
}
