// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota --arg=int=2
// RUN: --global=24 --local=8 --arg=int[24]=iota --arg=int=2
// RUN: --global=24 --local=24 --arg=int[24]=iota --arg=int=2
// DUMP 0: by_group(lambda g: [g[(j + 3) % len(g)] + 100 for j in range(len(g))])
kernel void k(global int *a, int n)
{
    local int t[64];
    int i = get_global_id(0), l = get_local_id(0), s = get_local_size(0), x = a[i];
    t[l] = x;
    if (n & 1) {
        if (n & 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            x = t[l];
        } else {
            barrier(CLK_LOCAL_MEM_FENCE);
            x = t[(l + 1) % s];
        }
    } else {
        if (n & 4) {
            barrier(CLK_LOCAL_MEM_FENCE);
            x = t[(l + 2) % s];
        } else {
            if (n & 2)
                barrier(CLK_LOCAL_MEM_FENCE);
            else
                barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
            x = t[(l + 3) % s];
        }
        x += 100;
    }
    a[i] = x;
}
