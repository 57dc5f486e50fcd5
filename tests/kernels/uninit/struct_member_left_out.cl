// SPDX-License-Identifier: MIT
// RUN: --global=40 --local=8 --arg=uchar[480]=0 --arg=uchar[480]=undef
// A member that some work-items leave out; padding, unions and local memory are not reported.
struct s { char c; int i; short h; };
struct u { int tag; union { char c; int i; } v; };
kernel void k(global struct s *a, global struct u *b)
{
    local struct s t[8];
    const int n = get_global_id(0), l = get_local_id(0);
    struct s v;
    struct u w;
    v.c = n;
    v.h = 2;
    t[l] = v;
    if (n != 13) v.i = 3;
    a[n] = v; // EXPECT uninitialized-read 'v'
    w.tag = 1;
    w.v.c = 2;
    b[n] = w;
}
