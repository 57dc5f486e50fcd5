// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota
// RUN: --global=24 --local=3 --arg=int[24]=iota
// RUN: --global=24 --local=8 --arg=int[24]=iota
// RUN: --global=24 --local=24 --arg=int[24]=iota
// DUMP 0: list(itertools.accumulate(range(24)))[:24] if L == 24 else by_group(lambda g: list(itertools.accumulate(range(24)))[g[0]:g[0] + len(g)])
kernel void k(global int *a)
{
    local int t[64];
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    local int carry;
    int mine = 0;
    if (lid == 0)
        carry = 0;
    for (int c = 0; c <= (int)get_group_id(0); c++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        t[lid] = c * n + lid;
        barrier(CLK_LOCAL_MEM_FENCE);
        mine = carry;
        for (int k = 0; k <= lid; k++)
            mine += t[k];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid == n - 1)
            carry = mine;
    }
    a[i] = mine;
}
