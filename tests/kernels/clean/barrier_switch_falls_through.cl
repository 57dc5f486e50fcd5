// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota --arg=int=1
// RUN: --global=24 --local=8 --arg=int[24]=iota --arg=int=1
// RUN: --global=24 --local=24 --arg=int[24]=iota --arg=int=1
// DUMP 0: by_group(lambda g: [g[(j + 5) % len(g)] + 60 for j in range(len(g))])
kernel void k(global int *a, int from)
{
    local int t[64];
    int i = get_global_id(0), l = get_local_id(0), n = get_local_size(0), x = a[i], y = 0;
    t[l] = x;
    switch (from) {
    case 0:
        barrier(CLK_LOCAL_MEM_FENCE);
        y += 10;
    case 1:
        barrier(CLK_LOCAL_MEM_FENCE);
        y += 20;
    default:
        barrier(CLK_LOCAL_MEM_FENCE);
        y += 40;
        break;
    case 9:
        y = -1;
    }
    a[i] = t[(l + 5) % n] + y;
}
