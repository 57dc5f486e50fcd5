// SPDX-License-Identifier: MIT
// Large structs that differ in one byte far from their beginning: a data race.
// RUN: --global=2 --local=2 --arg=int[200]=iota --arg=int[2]=0
struct large {
    int a[100];
};
kernel void k(global struct large *y, global int *out)
{
    local struct large u;
    const int id = get_global_id(0);
    for (int i = 0; i < 100; i++) y[id].a[i] = i == 80 ? id : 7;
    u = y[id]; // EXPECT data-race 'u'
    barrier(CLK_LOCAL_MEM_FENCE);
    out[id] = u.a[id];
}
