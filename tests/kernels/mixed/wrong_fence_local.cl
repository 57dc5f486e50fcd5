// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
kernel void k(global int *o)
{
    local int t[8];
    int l = get_local_id(0);
    t[l] = l; // EXPECT missing-fence 't'
    barrier(CLK_GLOBAL_MEM_FENCE);
    o[l] = t[7 - l]; // OTHER missing-fence
}
