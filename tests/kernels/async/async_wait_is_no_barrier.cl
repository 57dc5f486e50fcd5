// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int[8]=0
// RUN: --global=96 --local=96 --arg=int[96]=iota --arg=int[96]=0
// The wait orders the copy before what follows, and nothing else.
kernel void k(global const int *x, global int *out)
{
    local int t[96], u[8];
    const int l = get_local_id(0), n = get_local_size(0);
    t[l] = l; // EXPECT data-race 't'
    event_t e = async_work_group_copy(u, x, 8, 0);
    wait_group_events(1, &e);
    out[l] = t[n - 1 - l] + u[l % 8]; // OTHER data-race
}
