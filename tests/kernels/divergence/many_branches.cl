// SPDX-License-Identifier: MIT
// Five branches lead past the barrier: three are described, all are counted.
// RUN: --global=64 --local=32 --arg=int[64]=iota
kernel void k(global int *a)
{
    int l = get_local_id(0);
    if (l == 3) return;
    if (l == 9) return;
    if (l == 11) return;
    if (l > 29) return;
    if (l % 13 == 7) return;
    barrier(CLK_GLOBAL_MEM_FENCE); // EXPECT barrier-divergence
    a[get_global_id(0)] = l;
    // SAYS: work-items also diverged at 2 other branches
}
