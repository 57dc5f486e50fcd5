// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[1]=0 --arg=int[1]=0
kernel void k(volatile global int *lock, global int *sum)
{
    if (get_local_id(0) == 0) {
        while (atomic_cmpxchg(lock, 0, 1)) {} // EXPECT no-progress
        sum[get_group_id(0) & 0] = 1; // OTHER no-progress
    }
}
