// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[32]=iota --arg=int[8]=0
// RUN: --global=16 --local=8 --arg=int[32]=iota --arg=int[16]=0
// The next tile is loaded while other work-items still read this one: waiting for the copy is not a barrier.
kernel void k(global const int *x, global int *out)
{
    local int t[8];
    const int l = get_local_id(0);
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        event_t e = async_work_group_copy(t, x + 8 * i, 8, 0); // EXPECT data-race 't'
        wait_group_events(1, &e);
        sum += t[l ^ 1]; // OTHER data-race
    }
    out[get_global_id(0)] = sum;
}
