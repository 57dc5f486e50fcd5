// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota
kernel void turn(global int *a)
{
    local int t[16];
    int lid = get_local_id(0);
    t[lid] = a[lid];               // EXPECT missing-fence 't'
    barrier(CLK_GLOBAL_MEM_FENCE);
    a[lid] = t[(lid + 1) % 16];    // OTHER missing-fence
}
