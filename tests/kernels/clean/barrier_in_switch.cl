// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=1
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=2
// DUMP 0: [7 - i for i in range(8)]
kernel void reverse(global int *a, int how)
{
    local int t[8];
    int lid = get_local_id(0);
    switch (how) {
    case 1:
        t[lid] = a[lid];
        barrier(CLK_LOCAL_MEM_FENCE);
        a[lid] = t[7 - lid];
        break;
    case 2:
        t[7 - lid] = a[lid];
        barrier(CLK_LOCAL_MEM_FENCE);
        a[lid] = t[lid];
        break;
    default:
        a[lid] = -1;
    }
}
