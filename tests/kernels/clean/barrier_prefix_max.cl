// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota
// RUN: --global=24 --local=3 --arg=int[24]=iota
// RUN: --global=24 --local=8 --arg=int[24]=iota
// RUN: --global=24 --local=24 --arg=int[24]=iota
// RUN: --global=23 --local=5 --build-options=-cl-std=CL2.0 --arg=int[23]=iota
// DUMP 0: by_group(lambda g: list(itertools.accumulate((x * 11 % 17 for x in g), max)))
kernel void k(global int *a)
{
    local int t[64];
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    t[lid] = a[i] * 11 % 17;
    for (int d = 1; d < n; d <<= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int x = t[max(lid - d, 0)];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[lid] = max(t[lid], x);
    }
    a[i] = t[lid];
}
