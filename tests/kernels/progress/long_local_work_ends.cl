// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
// DUMP 0: [200000] * 8
// Nothing but local memory changes for long, in loops with barriers: that is work all the same.
kernel void count(global int *out)
{
    local int sum[8];
    int l = get_local_id(0);
    sum[l] = 0;
    do {
        sum[l]++;
        barrier(CLK_LOCAL_MEM_FENCE);
    } while (sum[l] < 200000);
    out[get_global_id(0)] = sum[l];
}
