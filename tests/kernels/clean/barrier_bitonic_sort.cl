// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=1 --arg=int[16]=iota
// RUN: --global=16 --local=2 --arg=int[16]=iota
// RUN: --global=16 --local=8 --arg=int[16]=iota
// RUN: --global=16 --local=16 --arg=int[16]=iota
// DUMP 0: by_group(lambda g: sorted(x * 7 % 16 for x in g))
kernel void k(global int *a)
{
    local int t[64];
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    t[lid] = a[i] * 7 % 16;
    for (int size = 2; size <= n; size *= 2)
        for (int s = size / 2; s > 0; s /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            int other = lid ^ s;
            if (other > lid) {
                int up = (lid & size) == 0, x = t[lid], y = t[other];
                if ((x > y) == up) {
                    t[lid] = y;
                    t[other] = x;
                }
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = t[lid];
}
