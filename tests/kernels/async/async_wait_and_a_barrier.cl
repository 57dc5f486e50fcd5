// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int[8]=0
// RUN: --global=96 --local=96 --arg=int[96]=iota --arg=int[96]=0
// DUMP 1: [N - 1 - n + n % 8 for n in range(N)]
kernel void k(global const int *x, global int *out)
{
    local int t[96], u[8];
    const int l = get_local_id(0), n = get_local_size(0);
    t[l] = l;
    event_t e = async_work_group_copy(u, x, 8, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    wait_group_events(1, &e);
    out[l] = t[n - 1 - l] + u[l % 8];
}
