// SPDX-License-Identifier: MIT
// RUN: --global=24 --local=12 --sub-group-size=8 --arg=uint[64]=iota --arg=uint[24]=0
// SAYS: block access of a sub-group that is not full
// SAYS: has 4 work-items, and a full one has 8
kernel void k(global const uint *a, global uint *out)
{
    out[get_global_id(0)] = intel_sub_group_block_read(a + get_sub_group_id() * 8); // EXPECT barrier-divergence
}
