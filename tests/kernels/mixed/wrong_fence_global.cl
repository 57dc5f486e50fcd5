// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0 --arg=int[8]=0
kernel void k(global int *x, global int *o)
{
    int l = get_local_id(0);
    x[l] = l; // EXPECT missing-fence 'x'
    barrier(CLK_LOCAL_MEM_FENCE);
    o[l] = x[7 - l]; // OTHER missing-fence
}
