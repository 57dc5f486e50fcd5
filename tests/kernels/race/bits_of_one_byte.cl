// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=64 --arg=uchar[8]=0
// Eight work-items set bits of one byte.
kernel void set(global uchar *out)
{
    local uchar bits[8];
    int lid = get_local_id(0);
    if (lid < 8)
        bits[lid] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    bits[lid / 8] |= 1 << lid % 8; // EXPECT data-race 'bits'
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < 8)
        out[lid] = bits[lid];
}
