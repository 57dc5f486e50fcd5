// SPDX-License-Identifier: MIT
// RUN: --schedules=16 --global=8 --local=8 --arg=int[1]=0 --arg=int[1]=0
// SAYS: seen under schedule
kernel void k(global int *lock, global int *count)
{
    if (!atomic_xchg(lock, 1)) {
        count[0] += 1; // EXPECT missing-fence data-race 'count'
        atomic_xchg(lock, 0);
    }
    mem_fence(CLK_LOCAL_MEM_FENCE);
}
