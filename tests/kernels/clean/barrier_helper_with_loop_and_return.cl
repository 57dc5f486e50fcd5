// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota
// RUN: --global=24 --local=3 --arg=int[24]=iota
// RUN: --global=24 --local=8 --arg=int[24]=iota
// RUN: --global=24 --local=24 --arg=int[24]=iota
// DUMP 0: by_group(lambda g: [x + 3 * g[0] for x in g])
int steps(local int *t, int x, int times)
{
    for (int k = 0;; k++) {
        if (k == times)
            return x;
        if (get_local_id(0) == 0)
            t[0] = get_global_id(0);
        barrier(CLK_LOCAL_MEM_FENCE);
        x += t[0];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
kernel void k(global int *a)
{
    local int t[1];
    int i = get_global_id(0);
    a[i] = steps(t, a[i], 3);
}
