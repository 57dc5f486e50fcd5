// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --sub-group-size=8 --arg=uint[8]=iota --arg=uint[8]=0
kernel void k(global const uint *a, global uint *out)
{
    const int l = get_local_id(0);
    if (l < 3) out[l] = intel_sub_group_block_read(a); // EXPECT barrier-divergence
}
