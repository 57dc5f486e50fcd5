// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=16 --arg=int[32]=31,5,8,2,9,1,7,3,30,12,14,11,29,28,20,21,4,6,0,10,13,15,16,17,18,19,22,23,24,25,26,27
// DUMP 0: sorted([31,5,8,2,9,1,7,3,30,12,14,11,29,28,20,21]) + sorted([4,6,0,10,13,15,16,17,18,19,22,23,24,25,26,27])
kernel void k(global int *x)
{
    local int t[32];
    const int l = get_local_id(0), base = get_group_id(0) * 16;
    t[l] = x[base + l];
    for (int size = 2; size <= 16; size *= 2)
        for (int step = size / 2; step; step /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            const int other = l ^ step;
            if (other > l && (t[l] > t[other]) == !(l & size)) {
                const int v = t[l];
                t[l] = t[other];
                t[other] = v;
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    x[base + l] = t[l];
}
