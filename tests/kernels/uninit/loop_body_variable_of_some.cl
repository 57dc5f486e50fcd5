// SPDX-License-Identifier: MIT
// Only the work-items that come round twice; a barrier in the loop.
// RUN: --global=8 --local=8 --arg=int[8]=0
// SAYS: work-item local (5,0,0)
// SAYS: 3 times
kernel void k(global int *out)
{
    int i = get_global_id(0), last = 0;
    for (int j = 0; j < 2; j++) {
        int x;
        if (j == 0 || i < 5)
            x = j;
        barrier(CLK_LOCAL_MEM_FENCE);
        last = x;
    }
    out[i] = last; // EXPECT uninitialized-read 'x'
}
