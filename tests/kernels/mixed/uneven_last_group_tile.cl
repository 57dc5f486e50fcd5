// SPDX-License-Identifier: MIT
// The last group is smaller than the tile that it reads.
// RUN: --global=10 --local=4 --arg=int[10]=0 --build-options=-cl-std=CL2.0
kernel void k(global int *o)
{
    local int t[4];
    t[get_local_id(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] = t[3 - get_local_id(0)]; // EXPECT uninitialized-read 't'
}
