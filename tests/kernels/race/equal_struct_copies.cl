// SPDX-License-Identifier: MIT
// Structs, large ones too, that several work-items assign to one place: a same-value race where all bytes are equal.
// RUN: --global=4 --local=4 --arg=int[12]=0 --arg=int[400]=5
struct s {
    int a;
    char b[4];
    float c;
};
struct large {
    int a[100];
};
kernel void k(global struct s *x, global struct large *y)
{
    local struct s t[2];
    local struct large u;
    t[0] = x[get_global_id(0)]; // EXPECT same-value-race 't'
    u = y[get_global_id(0) / 4]; // EXPECT same-value-race 'u'
    barrier(CLK_LOCAL_MEM_FENCE);
    x[get_global_id(0)] = t[0];
    x[get_global_id(0)].a += u.a[get_global_id(0)];
}
