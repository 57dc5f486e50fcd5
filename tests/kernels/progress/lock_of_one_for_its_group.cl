// SPDX-License-Identifier: MIT
// The fix that `cldbg explain no-progress` suggests.
// RUN: --global=32 --local=8 --arg=int[1]=0
// DUMP 0: [0]
kernel void k(global int *lock)
{
    if (get_local_id(0) == 0)
        while (atomic_cmpxchg(lock, 0, 1)) {}
    barrier(CLK_GLOBAL_MEM_FENCE);
    if (get_local_id(0) == 0) atomic_xchg(lock, 0);
}
