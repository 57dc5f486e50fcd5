// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=16 --arg=int[32]=iota
// DUMP 0: [sum((i % 16) * k + (i % 16 ^ 5) for k in range(4)) for i in range(32)]
// A private array and a private scalar live across a barrier.
kernel void keep(global int *a)
{
    local int t[16];
    int lid = get_local_id(0), mine[4];
    for (int k = 0; k < 4; k++)
        mine[k] = lid * k;
    t[lid] = lid ^ 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int k = 0; k < 4; k++)
        sum += mine[k] + t[lid];
    a[get_global_id(0)] = sum;
}
