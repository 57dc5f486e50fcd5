// SPDX-License-Identifier: MIT
// RUN: --global=8,4 --local=1,1 --arg=int[36]=iota
// RUN: --global=8,4 --local=8,1 --arg=int[36]=iota
// RUN: --global=8,4 --local=4,2 --arg=int[36]=iota
// RUN: --global=9,4 --local=3,4 --arg=int[36]=iota
// DUMP 0: [sum(y * N + x // L * L + j for j in range(L)) for y in range(4) for x in range(N)] + list(range(32, 36)) * (N == 8)
kernel void k(global int *a)
{
    local int t[16][16];
    int x = get_local_id(0), y = get_local_id(1), sum = 0;
    int i = get_global_id(1) * get_global_size(0) + get_global_id(0);
    t[y][x] = a[i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < (int)get_local_size(0); k++)
        sum += t[y][k];
    a[i] = sum;
}
