// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=64 --arg=int[64]=0
// SAYS: never written at bytes 8..11
kernel void k(global int *a)
{
    local int t[64 * 3 + 1];
    int l = get_local_id(0);
    t[l * 3] = l;
    t[(63 - l) * 3 + 1] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = t[l * 3] + t[l * 3 + 1];
    if (l < 32) sum += t[l * 3 + 2];
    a[l] = sum; // EXPECT uninitialized-read 't'
}
