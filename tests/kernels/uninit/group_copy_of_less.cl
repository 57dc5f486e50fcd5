// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
kernel void k(global int *a)
{
    local int t[8];
    event_t e = async_work_group_copy(t, a, 6, 0);
    wait_group_events(1, &e);
    int v = t[get_local_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (v > 100) // EXPECT uninitialized-read 't'
        t[0] = 1;
}
