// SPDX-License-Identifier: MIT
// The first work-item's number becomes the largest of all: it alone does not come to the barrier, whatever the range of ids is.
// RUN: --global=24 --local=8 --arg=int[24]=iota --arg=uint=4294967295
kernel void k(global int *a, uint n)
{
    local int t[8];
    uint i = get_global_id(0), before = i - 1, l = get_local_id(0);
    t[l] = a[i];
    if (before < n) {
        barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
        a[i] += t[l];
    }
}
