// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=uchar[64]=iota --arg=uchar[8]=0
// SAYS: the byte is 11
kernel void k(global const uchar *x, global uchar *out)
{
    local uchar t[16];
    const int l = get_local_id(0);
    event_t e = async_work_group_copy(t + 3, x + 3, 9, 0); // OTHER data-race
    if (l < 3) t[l] = l;
    if (l < 5) t[15 - l] = 12 + l; // EXPECT data-race 't'
    wait_group_events(1, &e);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l] + t[l + 3];
}
