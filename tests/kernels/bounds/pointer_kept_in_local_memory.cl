// SPDX-License-Identifier: MIT
// A work-item leaves the address of its own variable in local memory: only it may use it.
// RUN: --global=4 --local=2 --arg=int[4]=0
kernel void k(global int *o)
{
    local ulong shared_address;
    int x = get_local_id(0);
    if (x == 0) shared_address = (ulong)&x;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = *(private int *)shared_address; // EXPECT address-space
}
