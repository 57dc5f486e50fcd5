// SPDX-License-Identifier: MIT
// RUN: --global=256 --local=256 --arg=int[256]=0
// SAYS: never written at bytes 652..655
// SAYS: by work-item local (163,0,0)
kernel void k(global int *a)
{
    local int t[256];
    int l = get_local_id(0);
    if (l != 163) t[l] = l;
    a[l] = t[l]; // EXPECT uninitialized-read 't'
}
