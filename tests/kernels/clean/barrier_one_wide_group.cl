// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=1 --arg=int[16]=iota
// DUMP 0: [i * 2 if i % 2 else i for i in range(16)]
// A condition on the work-item is uniform where the group has one.
kernel void alone(global int *a)
{
    local int t;
    int i = get_global_id(0);
    if (i % 2) {
        t = a[i];
        barrier(CLK_LOCAL_MEM_FENCE);
        a[i] = t * 2;
    }
}
