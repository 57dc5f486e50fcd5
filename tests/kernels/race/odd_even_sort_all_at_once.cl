// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=5,3,9,1,0,15,7,2,14,4,11,13,6,8,12,10
// Every work-item compares with its neighbor, not every other one.
kernel void sort(global int *a)
{
    local int t[16];
    int lid = get_local_id(0);
    t[lid] = a[lid];
    for (int k = 0; k < 16; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < 15) {
            int x = t[lid], y = t[lid + 1]; // OTHER data-race
            t[lid] = min(x, y);             // EXPECT data-race 't'
            t[lid + 1] = max(x, y);         // EXPECT data-race 't'
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    a[lid] = t[lid];
}
