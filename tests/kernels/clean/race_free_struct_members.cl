// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --arg=int[32]=0
// DUMP 0: [100 + i if i % 2 else i for i in range(32)]
// Two work-items have a member each of one struct.
struct pair {
    int even;
    short odd;
};
kernel void members(global int *out)
{
    local struct pair t[16];
    int lid = get_local_id(0);
    if (lid % 2)
        t[lid / 2].odd = 100 + lid;
    else
        t[lid / 2].even = lid;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[lid] = lid % 2 ? t[lid / 2].odd : t[lid / 2].even;
}
