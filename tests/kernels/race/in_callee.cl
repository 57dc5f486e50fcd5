// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota
void put(local int *t, int at, int x)
{
    t[at / 2] = x; // EXPECT data-race 't'
}
kernel void pairs(global int *a)
{
    local int t[16];
    int lid = get_local_id(0);
    put(t, lid, lid);
    barrier(CLK_LOCAL_MEM_FENCE);
    a[lid] = t[lid / 2];
}
