// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota --arg=local:int[16]
// The second half begins an element too early.
kernel void k(global int *x, local int *room)
{
    local int *in = room, *out = room + get_local_size(0) - 1;
    const int l = get_local_id(0);
    in[l] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[7 - l] = in[l] + in[l ^ 1]; // EXPECT data-race 'room'
    barrier(CLK_LOCAL_MEM_FENCE);
    x[get_global_id(0)] = out[l];
}
