// SPDX-License-Identifier: MIT
// RUN: --global=3 --local=1 --arg=int[64]=iota --arg=int[3]=0
// RUN: --global=9 --local=8 --arg=int[64]=iota --arg=int[9]=0 --build-options=-cl-std=CL2.0
// DUMP 1: [sum(8 * i + n % 8 for i in range(4)) if L == 1 or n == 8 else sum(8 * i + n for i in range(4)) for n in range(N)]
// One work-item alone: what it read is ordered before the copy that it begins. (In a group of more, a barrier sees to that.)
kernel void k(global const int *x, global int *out)
{
    local int t[8];
    const int g = get_global_id(0);
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        event_t e = async_work_group_copy(t, x + 8 * i, 8, 0);
        wait_group_events(1, &e);
        sum += t[g % 8];
        if (get_local_size(0) > 1) barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = sum;
}
