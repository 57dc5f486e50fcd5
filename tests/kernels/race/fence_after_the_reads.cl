// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota
// The reads come first and the barrier fences the wrong memory: a warning.
kernel void turn(global int *a)
{
    int lid = get_local_id(0);
    int x = a[(lid + 1) % 16];    // EXPECT missing-fence 'a'
    barrier(CLK_LOCAL_MEM_FENCE);
    a[lid] = x;                   // OTHER missing-fence
}
