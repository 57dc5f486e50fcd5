// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=16 --arg=int[32]=iota
// DUMP 0: None
kernel void neighbor(global int *a)
{
    local int t[16];
    int lid = get_local_id(0);
    t[lid] = a[get_global_id(0)];            // OTHER data-race
    a[get_global_id(0)] = t[(lid + 1) % 16]; // EXPECT data-race 't'
}
