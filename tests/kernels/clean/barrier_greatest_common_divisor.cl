// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota
// RUN: --global=24 --local=3 --arg=int[24]=iota
// RUN: --global=24 --local=8 --arg=int[24]=iota
// RUN: --global=24 --local=24 --arg=int[24]=iota
// RUN: --global=23 --local=5 --build-options=-cl-std=CL2.0 --arg=int[23]=iota
// DUMP 0: by_group(lambda g: [math.gcd(*[6 * x + 6 for x in g])] * len(g))
kernel void k(global int *a)
{
    local int t[64];
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    t[lid] = 6 * a[i] + 6;
    for (int m = n; m > 1; m = (m + 1) / 2) {
        int part = (m + 1) / 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid + part < m) {
            int x = t[lid], y = t[lid + part];
            while (y) {
                int r = x % y;
                x = y;
                y = r;
            }
            t[lid] = x;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = t[0];
}
