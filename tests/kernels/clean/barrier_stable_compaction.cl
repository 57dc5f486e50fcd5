// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota
// RUN: --global=24 --local=3 --arg=int[24]=iota
// RUN: --global=24 --local=8 --arg=int[24]=iota
// RUN: --global=24 --local=24 --arg=int[24]=iota
// RUN: --global=23 --local=5 --build-options=-cl-std=CL2.0 --arg=int[23]=iota
// DUMP 0: by_group(lambda g: (lambda k: k + [-1] * (len(g) - len(k)))([x for x in g if x % 3]))
kernel void k(global int *a)
{
    local int t[64];
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    local int place[64];
    int keep = a[i] % 3 != 0, x = a[i];
    place[lid] = keep;
    for (int d = 1; d < n; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        int y = lid >= d ? place[lid - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        place[lid] += y;
    }
    t[lid] = -1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (keep)
        t[place[lid] - 1] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = t[lid];
}
