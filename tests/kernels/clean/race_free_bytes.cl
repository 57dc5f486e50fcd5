// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=64 --arg=uchar[64]=0
// DUMP 0: [(63 - i) for i in range(64)]
// Neighboring bytes of one word belong to different work-items.
kernel void mark(global uchar *out)
{
    local uchar t[64];
    int lid = get_local_id(0);
    t[lid] = lid;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[lid] = t[63 - lid];
}
