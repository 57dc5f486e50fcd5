// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=uchar[64]=iota --arg=uchar[8]=0
// DUMP 1: [2 * n + 3 for n in range(8)]
// The copy writes bytes 3 to 11; the bytes at both ends of it are written meanwhile.
kernel void k(global const uchar *x, global uchar *out)
{
    local uchar t[16];
    const int l = get_local_id(0);
    event_t e = async_work_group_copy(t + 3, x + 3, 9, 0);
    if (l < 3) t[l] = l;
    if (l < 4) t[12 + l] = 12 + l;
    wait_group_events(1, &e);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l] + t[l + 3];
}
