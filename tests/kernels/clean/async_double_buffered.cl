// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[64]=iota --arg=int[8]=0
// DUMP 1: [sum(8 * i + (l ^ 1) for i in range(8)) for l in range(8)]
// The next tile comes while this one is used.
kernel void k(global const int *x, global int *out)
{
    local int t[2][8];
    const int l = get_local_id(0);
    event_t e = async_work_group_copy(t[0], x, 8, 0);
    int sum = 0;
    for (int i = 0; i < 8; i++) {
        wait_group_events(1, &e);
        if (i < 7) e = async_work_group_copy(t[(i + 1) & 1], x + (i + 1) * 8, 8, 0);
        sum += t[i & 1][l ^ 1];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[l] = sum;
}
