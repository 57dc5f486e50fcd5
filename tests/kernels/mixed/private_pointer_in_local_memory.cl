// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=0
// RUN: --global=64 --local=8 --arg=int[64]=0
// SAYS: write of 4 bytes through a pointer to private memory 'x' of another work-item
// DUMP 0: [i % 8 if i % 8 else 1 for i in range(N)]
kernel void k(global int *o)
{
    local int *private volatile unused = 0;
    private int *local slot[8];
    int i = get_local_id(0);
    int x = i;
    slot[i] = &x;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i == 0) *slot[3] = 100; // EXPECT address-space 'x'
    if (i == 0) *slot[0] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = x + (unused != 0);
}
