// SPDX-License-Identifier: MIT
// One finding, not a race besides.
// RUN: --global=32 --local=16 --arg=int[32]=iota --arg=int[32]=0
// SAYS: an async copy to local memory 't' is never waited for
// SAYS: 2 times in 2 work-groups
kernel void k(global int *in, global int *out)
{
    local int t[16];
    int lid = get_local_id(0);
    event_t e = async_work_group_copy(t, in, 16, 0); // EXPECT async-not-waited 't'
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[lid];
}
