// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[32]=iota --arg=int[32]=0
// Every second element is overwritten while it may still be read.
kernel void k(global int *x, global int *out)
{
    local int t[8];
    const int l = get_local_id(0);
    event_t e = async_work_group_strided_copy(t, x, 8, 2, 0);
    wait_group_events(1, &e);
    out[l] = t[l ^ 1] + x[2 * l + 1]; // OTHER data-race
    t[l] = 2 * l; // EXPECT data-race 't'
    e = async_work_group_strided_copy(x, t, 8, 2, 0); // OTHER data-race
    wait_group_events(1, &e);
    out[8 + l] = x[2 * l];
}
