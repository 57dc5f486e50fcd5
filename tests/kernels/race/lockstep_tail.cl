// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=64 --arg=int[64]=iota --arg=int[1]=0
// The last rounds rely on work-items in step, which OpenCL does not promise.
kernel void sum(global const int *in, global int *out)
{
    local volatile int t[64];
    int lid = get_local_id(0);
    t[lid] = in[lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < 32)
        t[lid] += t[lid + 32];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < 16) {
        t[lid] += t[lid + 16]; // EXPECT data-race 't'
        t[lid] += t[lid + 8];  // EXPECT data-race 't'
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid == 0)
        out[0] = t[0];
}
