// SPDX-License-Identifier: MIT
struct pair { int a, b; };
#define BEGIN int i = get_global_id(0), l = get_local_id(0), n = get_local_size(0), g = get_group_id(0);
kernel void bytes(global uchar *o, global uchar *x, int from, int v)
{
    BEGIN
    o[from + 3 * i] = v + i;
    if (i % 2) o[from + 3 * i + 1] = v;
}
kernel void ints(global uchar *o, global uchar *x, int from, int v)
{
    BEGIN
    ((global int *)(o + from))[i] = v * 3;
    if (i == 1) for (int k = 0; k < 3; k++) ((global int *)(o + from))[k] = v + k;
}
kernel void reads(global uchar *o, global uchar *x, int from, int v)
{
    BEGIN
    ((global int *)(o + from))[i] += x[from + i] + v;
}
kernel void structs(global uchar *o, global uchar *x, int from, int v)
{
    BEGIN
    struct pair p = {v, i};
    ((global struct pair *)(o + from))[i] = p;
    if (i == 0) vstore4((int4)(v, i, 5, 6), 0, (global int *)(o + from + 32));
}
kernel void trades(global uchar *o, global uchar *x, int from, int v)
{
    BEGIN
    ((global int *)(o + from))[i] = v;
    barrier(CLK_GLOBAL_MEM_FENCE);
    ((global int *)(o + from))[g * n + (l + 1) % n] = v + 1;
}
kernel void atoms(global uchar *o, global uchar *x, int from, int v)
{
    BEGIN
    atomic_add((global int *)(o + from) + i % 3, v);
}
kernel void asyncs(global uchar *o, global uchar *x, int from, int v)
{
    BEGIN
    local int t[16];
    t[l] = v + l;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy((global int *)(o + from) + g * n, t, n, 0);
    wait_group_events(1, &e);
}
kernel void past(global uchar *o, global uchar *x, int from, int v)
{
    BEGIN
    if (i == 1) ((global int *)o)[1 << 20] = v; // out of bounds: nothing is written
    ((global ushort *)(o + from))[i] = v;
}
kernel void look(global uchar *o, global uchar *x, int from, int v)
{
    BEGIN
    if (i == 1) o[0] = 1;
}
