// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=1 --arg=int[64]=iota --arg=int[16]=0
// RUN: --global=16 --local=4 --arg=int[64]=iota --arg=int[16]=0
// RUN: --global=16 --local=16 --arg=int[64]=iota --arg=int[16]=0
// DUMP 1: by_group(lambda g: [sum(16 * r + g[(j + 1) % len(g)] for r in range(4)) for j in range(len(g))])
// Rows are fetched two ahead, each with an event of its own.
kernel void k(global const int *a, global int *out)
{
    local int t[2][16];
    int i = get_global_id(0), l = get_local_id(0), n = get_local_size(0), first = i - l, sum = 0;
    event_t e[2];
    for (int r = 0; r < 2; r++) e[r] = async_work_group_copy(t[r], a + 16 * r + first, n, 0);
    for (int r = 0; r < 4; r++) {
        wait_group_events(1, &e[r % 2]);
        sum += t[r % 2][(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (r < 2)
            e[r % 2] = async_work_group_copy(t[r % 2], a + 16 * (r + 2) + first, n, 0);
    }
    out[i] = sum;
}
