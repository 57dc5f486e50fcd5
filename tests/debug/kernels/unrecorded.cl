// SPDX-License-Identifier: MIT
// For unrecorded.py: launches in which nothing can stop. The arguments are those of several.c.
#define BEGIN int i = get_global_id(0); global int *const w = (global int *)(o + from);
kernel void prints(global uchar *o, global uchar *x, int from, int v)
{
    BEGIN
    w[i] = v;
    if (i % 16 == 3) printf("item %d of %d\n", i, v);
}
kernel void late(global uchar *o, global uchar *x, int from, int v)
{
    BEGIN
    w[i] += i;
    if (i == v) printf("before\n");
    if (i == v) w[i] = w[6000]; // out of bounds
}
kernel void tickets(global uchar *o, global uchar *x, int from, int v)
{
    BEGIN
    int mine = atomic_inc(&w[0]);
    w[1 + mine] = i;
}
kernel void raced(global uchar *o, global uchar *x, int from, int v)
{
    BEGIN
    w[i % v] = i;
}
kernel void look(global uchar *o, global uchar *x, int from, int v)
{
    BEGIN
    if (i == 1) w[0] = v;
}
