// SPDX-License-Identifier: MIT
// Two work-items write each cell of half the tile: that must not count as the whole tile.
// RUN: --global=256 --local=256 --arg=int[256]=0 --check=none,uninitialized-read
// SAYS: never written at bytes 512..515
kernel void k(global int *a)
{
    local int t[256];
    int l = get_local_id(0);
    t[(l * 37 & 255) / 2] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = t[l & 127];
    if (l == 5) a[l] = t[128]; // EXPECT uninitialized-read 't'
}
