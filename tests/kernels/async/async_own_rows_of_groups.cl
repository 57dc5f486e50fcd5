// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[32]=iota --arg=int[32]=0
// DUMP 0: [n + 1 for n in range(32)]
// DUMP 1: [n ^ 1 for n in range(32)]
// Each group copies its part in, and out again into the same part, and writes the part itself after the waits.
kernel void k(global int *x, global int *out)
{
    local int t[8];
    const int l = get_local_id(0), g = get_group_id(0);
    event_t e = async_work_group_copy(t, x + 8 * g, 8, 0);
    wait_group_events(1, &e);
    x[8 * g + l] = -1;
    out[8 * g + l] = t[l ^ 1];
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    t[l] += 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(x + 8 * g, t, 8, 0);
    wait_group_events(1, &e);
}
