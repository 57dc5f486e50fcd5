// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[1]=0 --arg=int[1]=0
// DUMP 0: [64]
// OpenCL 1.2's way.
kernel void count(volatile global int *n, volatile global int *lock)
{
    bool done = false;
    while (!done) {
        if (atomic_cmpxchg(lock, 0, 1) == 0) {
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            n[0] = n[0] + 1; // EXPECT missing-fence 'n'
            mem_fence(CLK_GLOBAL_MEM_FENCE);
            atomic_xchg(lock, 0);
            done = true;
        }
    }
}
