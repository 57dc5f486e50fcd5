// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=31,5,8,2,9,1,7,3,30,12,14,11,29,28,20,21
// The barrier is in the outer loop only: the steps of one size run into one another.
kernel void k(global int *x)
{
    local int t[16];
    const int l = get_local_id(0);
    t[l] = x[l];
    for (int size = 2; size <= 16; size *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int step = size / 2; step; step /= 2) {
            const int other = l ^ step;
            if (other > l && (t[l] > t[other]) == !(l & size)) { // OTHER data-race
                const int v = t[l]; // OTHER data-race
                t[l] = t[other]; // EXPECT data-race 't'
                t[other] = v; // EXPECT data-race 't'
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    x[l] = t[l];
}
