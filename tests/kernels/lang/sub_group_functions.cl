// SPDX-License-Identifier: MIT
// RUN: --build-options=-cl-std=CL3.0 --sub-group-size=8 --global=40 --local=20 --arg=int[40]=iota --arg=int[40]=0 --arg=int[40]=0 --arg=int[40]=0 --arg=uint[40]=0
// DUMP 1: [sum(range(i // 20 * 20 + i % 20 // 8 * 8, min(i // 20 * 20 + i % 20 // 8 * 8 + 8, i // 20 * 20 + 20))) for i in range(40)]
// DUMP 2: [i + (1 if i % 20 % 8 % 2 == 0 else -1) for i in range(40)]
// DUMP 3: [i % 20 // 8 * 1000 + min(8, 20 - i % 20 // 8 * 8) * 100 + i % 20 % 8 * 10 + 3 for i in range(40)]
// DUMP 4: [sum(1 << j % 20 % 8 for j in range(40) if j // 20 == i // 20 and j % 20 // 8 == i % 20 // 8 and j % 3 == i % 3) for i in range(40)]
// Sub-groups are runs of linear local ids; the last one of a group may be smaller. In a branch those that take it vote.
kernel void collect(global const int *a, global int *sum, global int *swap, global int *ids, global uint *votes)
{
    int i = get_global_id(0);
    sum[i] = sub_group_reduce_add(a[i]);
    swap[i] = sub_group_shuffle_xor(a[i], 1);
    ids[i] = get_sub_group_id() * 1000 + get_sub_group_size() * 100 + get_sub_group_local_id() * 10 + get_num_sub_groups();
    if (i % 3 == 0) votes[i] = sub_group_ballot(1).x;
    else if (i % 3 == 1) votes[i] = sub_group_ballot(1).x;
    else votes[i] = sub_group_ballot(1).x;
}
