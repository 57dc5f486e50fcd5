// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota --arg=local:int[16]
// DUMP 0: [(8 * g + 7 - l) + (8 * g + (7 - l ^ 1)) for g in range(2) for l in range(8)]
// One local argument cut in two: what was read in, and what is written out.
kernel void k(global int *x, local int *room)
{
    local int *in = room, *out = room + get_local_size(0);
    const int l = get_local_id(0);
    in[l] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[7 - l] = in[l] + in[l ^ 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    x[get_global_id(0)] = out[l];
}
