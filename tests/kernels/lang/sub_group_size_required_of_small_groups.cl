// SPDX-License-Identifier: MIT
// RUN: --global=9 --local=3 --arg=int[9]=0
// DUMP 0: [8 * 1000 + 3 * 100 + i % 3 * 10 + 1 for i in range(9)]
// A required size is that of every full sub-group: get_max_sub_group_size() has it even if no work-group fills one.
uint most(void) { return get_max_sub_group_size(); }
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global int *o)
{
    o[get_global_id(0)] = most() * 1000 + get_sub_group_size() * 100 + get_sub_group_local_id() * 10 + get_num_sub_groups();
}
