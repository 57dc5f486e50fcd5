// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[32]=0
// DUMP 0: [i % 8 * 8 for i in range(32)]
kernel __attribute__((reqd_work_group_size(8, 1, 1))) void fixed(global int *out)
{
    out[get_global_id(0)] = get_local_id(0) * get_local_size(0);
}
