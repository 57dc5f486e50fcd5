// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=1 --arg=int[24]=iota
// RUN: --global=24 --local=3 --arg=int[24]=iota
// RUN: --global=24 --local=8 --arg=int[24]=iota
// RUN: --global=24 --local=24 --arg=int[24]=iota
// DUMP 0: by_group(lambda g: [x + 8 * len(g) for x in g])
kernel void k(global int *a)
{
    local int t[64];
    int i = get_global_id(0), lid = get_local_id(0), n = get_local_size(0);
    t[lid] = 0;
    for (int x = 0; x < 2; x++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int y = 0; y < 2; y++) {
            barrier(CLK_LOCAL_MEM_FENCE);
            for (int z = 0; z < 2; z++) {
                atomic_inc(&t[0]);
                barrier(CLK_LOCAL_MEM_FENCE);
            }
        }
    }
    a[i] += t[0];
}
