// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=0
kernel void k(global int *a, int copies)
{
    local int t[8];
    event_t e = 0;
    if (copies) e = async_work_group_copy(t, a, 8, 0);
    wait_group_events(1, &e); // EXPECT invalid-event
}
