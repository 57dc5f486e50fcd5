// SPDX-License-Identifier: MIT
// RUN: --sub-group-size=4 --global=8 --local=8 --arg=int[8]=iota --arg=int[8]=0
// DUMP 1: [i // 4 * 40 + i % 4 * 10 + 100 + (6 if i < 4 else 22) for i in range(8)]
// An extension that the device names is there without -cl-std, too.
#if __OPENCL_C_VERSION__ > 120 || !defined cl_khr_subgroup_shuffle || !defined cl_khr_subgroup_ballot || defined cl_khr_subgroups
#error "not as the device says"
#endif
kernel void table(global const int *a, global int *out)
{
    int i = get_global_id(0);
    int up = sub_group_shuffle(i, get_sub_group_local_id()) == i && sub_group_ballot(1).x == 15 ? 100 : 0;
    out[i] = get_sub_group_id() * 40 + get_sub_group_local_id() * 10 + up + sub_group_reduce_add(a[i]);
}
