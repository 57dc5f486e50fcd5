// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=float[64]=1 --arg=float[64]=0 --arg=int=30000
// SAYS: the work-group ended with the copy in flight
// SAYS: 60000 times in 2 work-groups
// SAYS: 1 check was not completed
// So many are under way that they cannot all be held against one another: minutes, where each was.
kernel void k(global const float *in, global float *out, int n)
{
    local float t[32];
    for (int i = 0; i < n; i++)
        async_work_group_copy(t, in + i % 32, 32, 0); // EXPECT async-not-waited 't'
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = 1;
}
