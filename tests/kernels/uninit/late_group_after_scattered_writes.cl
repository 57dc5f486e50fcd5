// SPDX-License-Identifier: MIT
// RUN: --global=512 --local=4 --arg=int[512]=iota --arg=int[512]=0
// SAYS: 128 times in 128 work-groups
// DUMP 1: [0 if i % 4 == 0 else 1 for i in range(N)]
// Each group writes other places; no group sees another's.
kernel void k(global const int *in, global int *out)
{
    local int t[512];
    int l = get_local_id(0), at = in[get_global_id(0)];
    t[at] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    int other = l ? at : (at + 508) % 512; // where the group before wrote
    out[get_global_id(0)] = t[other]; // EXPECT uninitialized-read 't'
}
