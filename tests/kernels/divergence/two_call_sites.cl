// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota
// DUMP 0: [i + 1 for i in range(16)]
// The same barrier, reached through different calls.
void sync(void)
{
    barrier(CLK_LOCAL_MEM_FENCE); // EXPECT barrier-divergence
}
kernel void call(global int *a)
{
    int lid = get_local_id(0);
    if (lid < 4)
        sync();
    else
        sync();
    a[lid]++;
}
