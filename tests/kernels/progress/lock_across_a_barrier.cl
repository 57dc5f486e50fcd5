// SPDX-License-Identifier: MIT
// As `cldbg explain no-progress` has it.
// RUN: --global=8 --local=8 --arg=int[1]=0
kernel void k(global int *lock)
{
    while (atomic_cmpxchg(lock, 0, 1)) {} // EXPECT no-progress
    barrier(CLK_GLOBAL_MEM_FENCE);
    atomic_xchg(lock, 0);
}
