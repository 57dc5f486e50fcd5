// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=4 --arg=int[8]=0 --arg=int[8]=0
// Copies from and to nowhere.
kernel void k(global int *x, global int *o)
{
    local int t[8];
    event_t e = async_work_group_copy(t, x + (1l << 50), 8, 0); // EXPECT out-of-bounds
    wait_group_events(1, &e);
    e = async_work_group_copy((local int *)(ulong)(77ul << 48), x, 8, 0); // EXPECT address-space
    wait_group_events(1, &e);
    e = async_work_group_copy(t, (global int *)0, 8, 0); // EXPECT null-dereference
    wait_group_events(1, &e);
    e = async_work_group_strided_copy(t, x, 8, 0, 0);
    wait_group_events(1, &e);
    e = async_work_group_strided_copy(t, x, 8, ~0ul, 0); // EXPECT out-of-bounds
    wait_group_events(1, &e);
    o[get_global_id(0)] = 1;
}
