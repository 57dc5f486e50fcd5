// SPDX-License-Identifier: MIT
// RUN: --global=2 --local=2 --arg=uchar[72]=1 --arg=int[2]=0
struct s { int a[16]; };
kernel void k(global struct s *p, global int *o)
{
    struct s v = p[get_global_id(0)]; // EXPECT out-of-bounds 'p'
    o[get_global_id(0)] = v.a[0];
}
