// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --sub-group-size=8 --arg=uint[16]=0
// DUMP 0: None
// The second sub-group writes what the first one writes, too.
kernel void k(global uint *a)
{
    intel_sub_group_block_write(a + get_sub_group_id() * 4, get_local_id(0)); // EXPECT data-race 'a'
}
