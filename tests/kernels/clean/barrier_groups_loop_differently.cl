// SPDX-License-Identifier: MIT
// RUN: --global=12 --local=3 --arg=int[12]=0
// DUMP 0: [i // 3 + 1 for i in range(12)]
kernel void k(global int *a)
{
    for (int x = 0; x <= (int)get_group_id(0); x++) {
        barrier(CLK_GLOBAL_MEM_FENCE);
        a[get_global_id(0)]++;
    }
}
