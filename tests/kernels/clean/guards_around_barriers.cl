// SPDX-License-Identifier: MIT
// Conditions on ids and arguments with barriers under them: where they hold for all work-items, for whole groups only, by an argument
// that is less than nothing, by one of 64 bits, from an offset on, and the other way round.
// RUN: --kernel=around --global=24 --local=4 --arg=int[24]=iota --arg=int=24
// RUN: --kernel=around --global=24 --local=8 --arg=int[24]=iota --arg=int=24
// RUN: --kernel=around --global=24 --local=24 --arg=int[24]=iota --arg=int=24
// RUN: --kernel=around --global=32 --local=8 --arg=int[24]=iota --arg=int=24
// RUN: --kernel=around --global=320 --local=8 --arg=int[24]=iota --arg=int=24
// RUN: --kernel=behind --global=24 --local=8 --arg=int[24]=iota --arg=int=24
// RUN: --kernel=behind --global=40 --local=4 --arg=int[24]=iota --arg=int=24
// RUN: --kernel=extended --global=24 --local=8 --arg=int[24]=iota --arg=int=24
// RUN: --kernel=extended --global=24 --local=8 --arg=int[24]=iota --arg=int=-1
// RUN: --kernel=from --global=24 --local=8 --offset=8 --arg=int[24]=iota --arg=uint=8 --arg=long=32
// RUN: --kernel=from --global=40 --local=8 --offset=0 --arg=int[24]=iota --arg=uint=8 --arg=long=32
// RUN: --kernel=of_two --global=6,4 --local=2,2 --arg=int[24]=iota --arg=int=6 --arg=int=4
// RUN: --kernel=of_two --global=6,6 --local=2,2 --arg=int[24]=iota --arg=int=6 --arg=int=4
// RUN: --kernel=of_two --global=8,4 --local=2,2 --arg=int[24]=iota --arg=int=6 --arg=int=4
// RUN: --kernel=in_a_loop --global=24 --local=8 --arg=int[24]=iota --arg=int=8
// DUMP 0: [i ^ 1 for i in range(24)]
void swap(global int *a, local int *t, int i, int l)
{
    t[l] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = t[l ^ 1];
    barrier(CLK_LOCAL_MEM_FENCE);
}
kernel void around(global int *a, int n)
{
    local int t[32];
    int i = get_global_id(0), l = get_local_id(0);
    if (i < n) swap(a, t, i, l);
}
kernel void behind(global int *a, int n)
{
    local int t[32];
    uint i = get_global_id(0);
    if (n - 1 < (int)i) return;
    swap(a, t, i, get_local_id(0));
}
kernel void extended(global int *a, int n)
{
    local int t[32];
    size_t i = get_global_id(0);
    if (i < n) swap(a, t, i, get_local_id(0)); // -1 is the largest of all there
}
kernel void from(global int *a, uint first, long end)
{
    local int t[32];
    int i = get_global_id(0);
    if (i - 7 < (int)first - 7) return;
    if ((long)i + 1 > end) return;
    swap(a, t, i - first, get_local_id(0));
}
kernel void of_two(global int *a, int w, int h)
{
    local int t[4];
    int x = get_global_id(0), y = get_global_id(1);
    if (x >= w || y >= h) return;
    swap(a, t, y * w + x, get_local_id(1) * 2 + get_local_id(0));
}
kernel void in_a_loop(global int *a, int n)
{
    local int t[32];
    int i = get_global_id(0), l = get_local_id(0);
    for (int k = 0; k < 3; k++)
        if (l < n) swap(a, t, i, l);
}
