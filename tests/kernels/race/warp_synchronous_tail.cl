// SPDX-License-Identifier: MIT
// RUN: --kernel=sum --global=64 --local=64 --arg=int[64]=iota --arg=int[1]=0
// The last rounds without barriers, as written for one vendor's lockstep; volatile changes nothing.
kernel void sum(global const int *in, global int *out)
{
    local volatile int t[64];
    int l = get_local_id(0);
    t[l] = in[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 32) {
        t[l] += t[l + 32]; // OTHER data-race
        t[l] += t[l + 16]; // EXPECT data-race 't'
        t[l] += t[l + 8];  // EXPECT data-race 't'
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        int s = 0;
        for (int k = 0; k < 8; k++) s += t[k];
        out[0] = s;
    }
}
