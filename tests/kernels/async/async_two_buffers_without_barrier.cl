// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[64]=iota --arg=int[8]=0
// RUN: --global=96 --local=96 --arg=int[64]=iota --arg=int[96]=0
// The copy of the tile after the next one goes where some may still read: the wait is not a barrier.
kernel void k(global const int *x, global int *out)
{
    local int t[2][8];
    const int l = get_local_id(0);
    event_t e = async_work_group_copy(t[0], x, 8, 0);
    int sum = 0;
    for (int i = 0; i < 8; i++) {
        wait_group_events(1, &e);
        if (i < 7) e = async_work_group_copy(t[(i + 1) & 1], x + (i + 1) * 8, 8, 0); // EXPECT data-race 't'
        sum += t[i & 1][l % 8 ^ 1]; // OTHER data-race
    }
    out[l] = sum;
}
