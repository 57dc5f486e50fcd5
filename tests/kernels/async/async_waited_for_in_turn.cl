// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[16]=iota --arg=int[8]=0
// DUMP 1: [(n ^ 1) + 8 + (n ^ 2) for n in range(8)]
kernel void k(global const int *x, global int *out)
{
    local int t[8], u[8];
    const int l = get_local_id(0);
    event_t e[2];
    e[0] = async_work_group_copy(t, x, 8, 0);
    e[1] = async_work_group_copy(u, x + 8, 8, 0);
    wait_group_events(1, &e[0]);
    int sum = t[l ^ 1];
    wait_group_events(1, &e[1]);
    out[l] = sum + u[l ^ 2];
}
