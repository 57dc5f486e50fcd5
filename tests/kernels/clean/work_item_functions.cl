// SPDX-License-Identifier: MIT
// RUN: --global=24,2 --local=8,2 --arg=int[48]=0
// DUMP 0: [2 + 10 * 24 + 1000 * 8 + 100000 * 3 + 1000000 * (k % 24 // 8) for k in range(48)]
kernel void sizes(global int *out)
{
    int at = get_global_id(1) * get_global_size(0) + get_global_id(0);
    out[at] = (int)(get_work_dim() + 10 * get_global_size(0) + 1000 * get_local_size(0) + 100000 * get_num_groups(0) +
                    1000000 * get_group_id(0));
}
