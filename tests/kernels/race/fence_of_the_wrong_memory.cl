// SPDX-License-Identifier: MIT
// A barrier whose flags lack global memory: pairs in which the write comes first are errors, those in which the read does warnings. Both are
// reported once, whichever stands first in the source.
// RUN: --global=16 --local=16 --arg=int[1]=0
// SAYS: also: write of 4 bytes at fence_of_the_wrong_memory.cl:12:18, and write of 4 bytes at fence_of_the_wrong_memory.cl:12:18
// SAYS: cldbg: 1 error, 1 warning in 1 kernel launch (2 missing-fence)
kernel void turns(global int *a)
{
    for (int i = 0; i < 16; i++) {
        if (get_local_id(0) == i) {
            int x = a[0]; // EXPECT missing-fence 'a'
            a[0] = x + i; // EXPECT missing-fence 'a'
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
