// SPDX-License-Identifier: MIT
// Written as shorts and bytes, read as words: byte 3 of every word of the second half is missing.
// RUN: --global=32 --local=32 --arg=int[32]=0
// SAYS: never written at byte 67
kernel void k(global int *a)
{
    local int t[32];
    local short *s = (local short *)t;
    local char *c = (local char *)t;
    int l = get_local_id(0);
    s[2 * l] = l;
    if (l < 16) s[2 * l + 1] = 0;
    else c[4 * l + 2] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = t[l]; // EXPECT uninitialized-read 't'
}
