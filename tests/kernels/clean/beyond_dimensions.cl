// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=4 --arg=int[8]=0
// DUMP 0: [1 + 10 + 100] * 8
// Dimensions that the range does not have: sizes are 1, ids are 0.
kernel void sizes(global int *out)
{
    out[get_global_id(0)] = (int)(get_global_size(1) + 10 * get_local_size(2) + 100 * get_num_groups(1) +
                                  1000 * get_global_id(1) + 10000 * get_group_id(2) + 100000 * get_local_id(7));
}
