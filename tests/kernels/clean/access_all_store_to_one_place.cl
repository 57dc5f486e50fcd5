// SPDX-License-Identifier: MIT
// RUN: --global=96 --local=32 --arg=uint[3]=0 --arg=ulong[3]=0
// DUMP 0: [96 // 32 * 100 + k for k in range(3)]
// DUMP 1: [31 + 32 * k for k in range(3)]
// A work-item of each group stores what the group has.
kernel void one(global uint *sums, global ulong *last)
{
    if (get_local_id(0) == 5) sums[get_group_id(0)] = get_num_groups(0) * 100 + get_group_id(0);
    if (get_local_id(0) == get_local_size(0) - 1) last[get_group_id(0)] = get_global_id(0);
}
