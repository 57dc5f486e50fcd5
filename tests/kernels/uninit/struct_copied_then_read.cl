// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
struct s { int a, b, c; };
kernel void k(global int *a)
{
    struct s s, t;
    s.a = 1;
    s.c = 2;
    t = s;
    a[get_global_id(0)] = t.a + t.b; // EXPECT uninitialized-read 's'
}
