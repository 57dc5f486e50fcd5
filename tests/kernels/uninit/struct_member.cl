// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
struct s { int a, b; };
kernel void k(global int *a)
{
    struct s s;
    s.a = 1;
    a[get_global_id(0)] = s.b; // EXPECT uninitialized-read 's'
}
