// SPDX-License-Identifier: MIT
// The stride leaves every second element alone, but for the one that is touched here.
// RUN: --global=8 --local=8 --arg=int[16]=iota --arg=int[16]=0
// SAYS: the bytes are 24..27
kernel void k(global int *in, global int *out)
{
    local int t[8];
    int lid = get_local_id(0);
    t[lid] = in[lid];
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_strided_copy(out, t, 8, 2, 0); // OTHER data-race
    out[2 * lid + (lid != 3)] = 7;                              // EXPECT data-race 'out'
    wait_group_events(1, &e);
}
