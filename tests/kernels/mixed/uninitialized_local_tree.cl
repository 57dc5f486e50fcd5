// SPDX-License-Identifier: MIT
// The upper half was never written: the group is smaller than the tree thinks.
// RUN: --global=12 --local=12 --arg=int[1]=0
kernel void k(global int *o)
{
    local int t[16];
    int l = get_local_id(0);
    t[l] = l;
    for (int s = 8; s; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < s) t[l] += t[l + s];
    }
    if (!l) o[0] = t[0]; // EXPECT uninitialized-read 't'
}
