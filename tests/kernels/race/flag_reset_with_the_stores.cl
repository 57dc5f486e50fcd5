// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --arg=int[32]=iota --arg=int[1]=0
// The reset is not separated from the stores: not all of them store the same.
kernel void any(global const int *in, global int *out)
{
    local int found;
    int lid = get_local_id(0);
    if (lid == 3)
        found = 0; // EXPECT data-race 'found'
    if (in[lid] > 20)
        found = 1; // EXPECT data-race 'found'
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0)
        out[0] = found;
}
