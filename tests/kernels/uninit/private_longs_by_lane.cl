// SPDX-License-Identifier: MIT
// Each work-item has another gap in its own array.
// RUN: --global=40 --local=40 --arg=long[40]=0
// SAYS: never written at bytes 24..31
// SAYS: by work-item local (3,0,0)
kernel void k(global long *a)
{
    long t[8];
    int l = get_local_id(0);
    for (int i = 0; i < 8; i++)
        if (i != (l & 7) || l < 3 || l > 20) t[i] = i;
    long sum = 0;
    for (int i = 0; i < 8; i++)
        sum += t[(i + l) & 7];
    a[l] = sum; // EXPECT uninitialized-read 't'
}
