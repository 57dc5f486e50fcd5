// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[32]=iota --arg=int[8]=0
// RUN: --global=16 --local=8 --arg=int[32]=iota --arg=int[16]=0
// DUMP 1: [sum(8 * i + (n % 8 ^ 1) for i in range(4)) for n in range(N)]
kernel void k(global const int *x, global int *out)
{
    local int t[8];
    const int l = get_local_id(0);
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        event_t e = async_work_group_copy(t, x + 8 * i, 8, 0);
        wait_group_events(1, &e);
        sum += t[l ^ 1];
    }
    out[get_global_id(0)] = sum;
}
