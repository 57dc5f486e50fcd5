// SPDX-License-Identifier: MIT
// RUN: --kernel=reversed --global=16 --local=16 --arg=int[16]=0
// NOTE: 't' is 64 bytes of local memory (declared at only_a_mem_fence.cl:9); the bytes are 0..3
// NOTE: no barrier separates the two; the mem_fence at only_a_mem_fence.cl:12 is not a barrier: it orders the accesses of its own work-item, and no work-item waits there
// NOTE: 16 times in 1 work-group; shown once
kernel void reversed(global int *o)
{
    int l = get_local_id(0);
    local int t[16];
    t[l] = l; // OTHER data-race
    o[l] = 1;
    mem_fence(CLK_LOCAL_MEM_FENCE);
    o[l] = t[15 - l]; // EXPECT data-race 't'
}
