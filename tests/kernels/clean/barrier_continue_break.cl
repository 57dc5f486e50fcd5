// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
// DUMP 0: [sum((i + k) % 8 for k in (1, 3, 5)) for i in range(8)]
// continue and break under uniform conditions around a barrier.
kernel void walk(global int *a)
{
    local int t[8];
    int lid = get_local_id(0), sum = 0;
    for (int k = 0;; k++) {
        if (k == 6)
            break;
        if (k % 2 == 0)
            continue;
        t[lid] = lid;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += t[(lid + k) % 8];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[lid] = sum;
}
