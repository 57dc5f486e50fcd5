// SPDX-License-Identifier: MIT
// RUN: --kernel=windows --global=16 --local=16 --arg=int[20]=iota
// Windows of four that overlap, read and stored in place.
kernel void windows(global int *a)
{
    int i = get_global_id(0);
    int4 v = vload4(0, a + i); // OTHER data-race
    a[i] = v.x + v.y + v.z + v.w; // EXPECT data-race 'a'
}
