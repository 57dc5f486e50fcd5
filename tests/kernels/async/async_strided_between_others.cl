// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[32]=iota --arg=int[32]=0
// DUMP 1: [2 * n + 2 * n + 1 for n in range(8)] + [2 * (n ^ 1) for n in range(8)] + [0] * 16
// The copy writes every second element, the work-items write those between meanwhile.
kernel void k(global int *x, global int *out)
{
    local int t[8];
    const int l = get_local_id(0);
    event_t e = async_work_group_strided_copy(t, x, 8, 2, 0);
    wait_group_events(1, &e);
    out[l] = t[l] + x[2 * l + 1];
    e = async_work_group_strided_copy(x, t, 8, 2, 0);
    x[2 * l + 1] = 7;
    wait_group_events(1, &e);
    out[8 + l] = x[2 * (l ^ 1)];
}
