// SPDX-License-Identifier: MIT
// OpenCL 1.2's lock, by one work-item a group.
// RUN: --global=32 --local=8 --arg=int[1]=0 --arg=int[1]=0
kernel void k(global int *lock, global int *sum)
{
    if (get_local_id(0) == 0) {
        while (atomic_cmpxchg((volatile global int *)lock, 0, 1)) {}
        sum[0] += 1; // EXPECT missing-fence 'sum'
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        atomic_xchg((volatile global int *)lock, 0);
    }
}
