// SPDX-License-Identifier: MIT
// The ids of a group's last work-item, in groups and sub-groups that are cut short, too.
// RUN: --global=20 --local=12 --sub-group-size=8 --kernel=one --arg=int[20]=0 --arg=int[20]=0 --build-options="-cl-std=CL3.0"
// RUN: --global=4,5 --local=4,3 --sub-group-size=8 --kernel=two --arg=int[20]=0 --arg=int[20]=0 --build-options="-cl-std=CL3.0"
// DUMP 0: [11 if i < 12 else 19 for i in range(20)]
// DUMP 1: [7 if i < 8 else 11 if i < 12 else 19 for i in range(20)]
kernel void one(global int *a, global int *b)
{
    int i = get_global_id(0);
    a[i] = work_group_broadcast(i, get_local_size(0) - 1);
    b[i] = sub_group_broadcast(i, get_sub_group_size() - 1);
}
kernel void two(global int *a, global int *b)
{
    int i = get_global_linear_id();
    a[i] = work_group_broadcast(i, get_local_size(0) - 1, get_local_size(1) - 1);
    b[i] = sub_group_broadcast(i, get_sub_group_size() - 1);
}
