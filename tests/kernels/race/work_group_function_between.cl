// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=16 --arg=int[32]=iota --arg=int[32]=0 --build-options=-cl-std=CL2.0
// SAYS: no barrier separates the two; the work-group function at work_group_function_between.cl:9 is not a barrier: all wait for its value, but it orders no memory
kernel void k(global const int *in, global int *out)
{
    local int t[16];
    int l = get_local_id(0), g = get_global_id(0);
    t[l] = in[g]; // EXPECT data-race 't'
    int s = work_group_reduce_add(in[g]);
    out[g] = t[l ^ 1] + s; // OTHER data-race
}
