// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota --arg=int[16]=0
// DUMP 1: [15 - i for i in range(16)]
// The barrier fences local memory; the accesses that it should order are global.
kernel void reverse(global int *a, global int *out)
{
    int lid = get_local_id(0);
    a[lid] = lid;                 // OTHER missing-fence
    barrier(CLK_LOCAL_MEM_FENCE);
    out[lid] = a[15 - lid];       // EXPECT missing-fence 'a'
}
