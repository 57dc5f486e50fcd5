// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --arg=int[32]=iota --arg=int[32]=0
// DUMP 1: [1] * 32
// All store the same; the reset before the barrier and the reads after it are ordered.
kernel void any(global const int *in, global int *out)
{
    local int found;
    int lid = get_local_id(0);
    if (lid == 3)
        found = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (in[lid] > 20)
        found = 1; // EXPECT same-value-race 'found'
    barrier(CLK_LOCAL_MEM_FENCE);
    out[lid] = found;
}
