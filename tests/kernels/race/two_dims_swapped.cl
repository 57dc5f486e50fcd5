// SPDX-License-Identifier: MIT
// RUN: --global=8,8 --local=4,4 --arg=int[64]=iota --arg=int[64]=0
kernel void k(global int *a, global int *o) {
    local int t[4][4];
    int x = get_local_id(0), y = get_local_id(1);
    t[y][x] = a[get_global_id(1) * 8 + get_global_id(0)]; // EXPECT data-race 't'
    o[get_global_id(1) * 8 + get_global_id(0)] = t[x][y]; // OTHER data-race
}
