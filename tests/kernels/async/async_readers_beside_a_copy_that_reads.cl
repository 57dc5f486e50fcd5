// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0 --arg=int[8]=0
// RUN: --global=64 --local=64 --arg=int[64]=0 --arg=int[64]=0
// Many read what the copy reads; the wait ends the copy, not the others' reads.
kernel void k(global int *x, global int *out)
{
    local int t[64];
    const int l = get_local_id(0), n = get_local_size(0);
    t[l] = 3 * l;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(x, t, n, 0);
    int a = l < 3 ? t[5] : 0; // OTHER data-race
    wait_group_events(1, &e);
    if (l == 0) t[5] = 1; // EXPECT data-race 't'
    out[l] = a;
}
