// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=3 --arg=short[24]=iota
// RUN: --global=24 --local=8 --arg=short[24]=iota
// RUN: --global=23 --local=5 --build-options=-cl-std=CL2.0 --arg=short[23]=iota
// DUMP 0: by_group(lambda g: [g[(j + 4) % len(g)] for j in range(len(g))])
kernel void k(global short *a)
{
    local short t[64];
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    short x = a[i];
    for (int s = 1; s < 4; s++) {
        t[lid] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = t[(lid + (s == 2 ? 2 : 1)) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[i] = x;
}
