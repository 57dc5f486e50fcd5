// SPDX-License-Identifier: MIT
// RUN: --global=9 --local=3 --arg=int[9]=0
// DUMP 0: [3 for i in range(9)]
// No work-group has a larger sub-group.
kernel void k(global int *o)
{
    o[get_global_id(0)] = get_max_sub_group_size();
}
