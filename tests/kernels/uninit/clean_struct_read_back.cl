// SPDX-License-Identifier: MIT
// Padding goes along, members are all there; a member that lacked is written before it is read.
// RUN: --global=4 --local=4 --arg=int[12]=0 --arg=int[4]=0
// DUMP 1: [n + 4 for n in range(N)]
struct s {
    int i;
    char c;
    float f;
};
kernel void k(global struct s *o, global int *r)
{
    struct s s, t;
    int n = get_global_id(0);
    s.i = 1;
    s.c = 1;
    t = s;
    t.f = 2;
    o[n] = t;
    t = o[n];
    r[n] = t.i + t.c + (int)t.f + n;
}
