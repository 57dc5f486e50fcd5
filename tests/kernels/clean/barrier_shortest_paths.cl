// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota
// RUN: --global=16 --local=8 --arg=int[16]=iota
// DUMP 0: by_group(lambda g: [min(j, 8 - j) for j in range(8)])
kernel void k(global int *a)
{
    int i = get_global_id(0), lid = get_local_id(0);
    local int d[8][8];
    for (int k = 0; k < 8; k++)
        d[lid][k] = k == lid ? 0 : k == (lid + 1) % 8 || lid == (k + 1) % 8 ? 1 : 100;
    for (int k = 0; k < 8; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < 8; j++)
            if (lid != k)
                d[lid][j] = min(d[lid][j], d[lid][k] + d[k][j]);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    a[i] = d[0][lid];
}
