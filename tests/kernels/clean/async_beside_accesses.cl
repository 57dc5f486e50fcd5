// SPDX-License-Identifier: MIT
// Other bytes of what a copy touches may be used meanwhile, and its source be read; two copies may read the same.
// RUN: --global=16 --local=8 --arg=int[16]=iota --arg=int[32]=0
// DUMP 1: [v for g in range(2) for i in range(8) for v in (8 * g + i + (i + 1) % 8 + 8 * g, 5)]
kernel void k(global int *in, global int *out)
{
    local int t[8], u[16];
    int lid = get_local_id(0), group = get_group_id(0);
    event_t e[2];
    e[0] = async_work_group_copy(t, in + 8 * group, 8, 0);
    e[1] = async_work_group_copy(u + 8, in + 8 * group, 8, 0);
    u[lid] = in[8 * group + lid];
    wait_group_events(2, e);
    t[lid] = u[lid] + u[8 + (lid + 1) % 8];
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t f = async_work_group_strided_copy(out + 16 * group, t, 8, 2, 0);
    out[16 * group + 2 * lid + 1] = 5;
    int sum = t[(lid + 3) % 8];
    wait_group_events(1, &f);
    if (sum < 0)
        out[0] = sum;
}
