// SPDX-License-Identifier: MIT
// A mem_fence before the last barrier is not mentioned as a fence that is not a barrier.
// RUN: --global=16 --local=16 --arg=int[16]=0
// NOTE: 't' is 68 bytes of local memory (declared at mem_fence_elsewhere.cl:10); the bytes are 4..7
// NOTE: no barrier separates the two; the last one before them was at mem_fence_elsewhere.cl:14
// NOTE: 15 times in 1 work-group; shown once
kernel void shifted(global int *o)
{
    int l = get_local_id(0);
    local int t[17];
    t[l] = l;
    mem_fence(CLK_LOCAL_MEM_FENCE);
    o[l] = t[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    t[l] = t[l + (l < 15)]; // EXPECT data-race 't'
}
