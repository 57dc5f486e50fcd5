// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[1]=0 --arg=int[1]=0
// SAYS: order no other memory without a mem_fence
kernel void count(volatile global int *n, volatile global int *lock)
{
    bool done = false;
    while (!done) {
        if (atomic_cmpxchg(lock, 0, 1) == 0) {
            n[0] = n[0] + 1; // EXPECT data-race 'n'
            atomic_xchg(lock, 0);
            done = true;
        }
    }
}
