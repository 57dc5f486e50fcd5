// SPDX-License-Identifier: MIT
// RUN: --global=40 --local=20 --arg=int[40]=iota --arg=int[40]=0 --arg=int[40]=0
// DUMP 1: [sum(range(i // 20 * 20 + i % 20 // 8 * 8, min(i // 20 * 20 + i % 20 // 8 * 8 + 8, i // 20 * 20 + 20))) for i in range(40)]
// DUMP 2: [i % 20 // 8 * 1000 + min(8, 20 - i % 20 // 8 * 8) * 100 + i % 20 % 8 * 10 + 3 for i in range(40)]
// A kernel's sub-groups have the size that it asks for, not the device's.
#ifndef cl_intel_required_subgroup_size
#error "the device has it"
#endif
#pragma OPENCL EXTENSION cl_intel_required_subgroup_size : enable
__attribute__((intel_reqd_sub_group_size(8)))
kernel void collect(global const int *a, global int *sum, global int *ids)
{
    int i = get_global_id(0);
    sum[i] = sub_group_reduce_add(a[i]);
    ids[i] = get_sub_group_id() * 1000 + get_sub_group_size() * 100 + get_sub_group_local_id() * 10 + get_num_sub_groups();
}
