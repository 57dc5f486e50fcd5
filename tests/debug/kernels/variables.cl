// SPDX-License-Identifier: MIT
global int total = 5;
global struct { int of[4]; } kept;
kernel void gathers(global uchar *o, global uchar *x, int from, int v)
{
    int i = get_global_id(0);
    kept.of[i] = v + i * x[from];
    if (i == 1) total += v;
}
kernel void sums(global uchar *o, global uchar *x, int from, int v)
{
    int i = get_global_id(0);
    o[from + i] = kept.of[i] + total;
}
