// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=0 --arg=int[16]=0
// DUMP 0: [n % 8 * 3 for n in range(16)]
// DUMP 1: [(n % 8 ^ 1) + 100 for n in range(16)]
kernel void k(global int *x, global int *out)
{
    local int t[8];
    const int l = get_local_id(0);
    t[l] = 3 * l;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(x + 8 * get_group_id(0), t, 8, 0);
    wait_group_events(1, &e);
    t[l ^ 5] = 100 + (l ^ 5);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = t[l ^ 1];
}
