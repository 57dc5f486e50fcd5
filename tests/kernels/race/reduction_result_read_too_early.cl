// SPDX-License-Identifier: MIT
// RUN: --kernel=sum --global=32 --local=16 --arg=int[32]=iota --arg=int[32]=0
kernel void sum(global const int *in, global int *out)
{
    local int t[16];
    int l = get_local_id(0), i = get_global_id(0);
    t[l] = in[i];
    for (int s = 8; s; s >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < s) t[l] += t[l + s]; // OTHER data-race
    }
    out[i] = t[0]; // EXPECT data-race 't'
}
