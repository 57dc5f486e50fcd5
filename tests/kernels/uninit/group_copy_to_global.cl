// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=16 --arg=int[32]=7
// DUMP 0: [*range(15), 0, *range(16, 31), 0]
// A tile of which the last place was never written leaves the kernel by a copy.
kernel void k(global int *out)
{
    local int t[16];
    int lid = get_local_id(0);
    if (lid < 15)
        t[lid] = get_global_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(out + 16 * get_group_id(0), t, 16, 0); // EXPECT uninitialized-read 't'
    wait_group_events(1, &e);
}
