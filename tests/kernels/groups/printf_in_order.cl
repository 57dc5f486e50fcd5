// SPDX-License-Identifier: MIT
// RUN: --global=6 --local=2 --arg=int[6]=0
// DUMP 0: list(range(6))
// OUTPUT: group 0 item 1
// What a group prints stands together, though small groups run together where they print nothing.
kernel void print(global int *p)
{
    int i = get_global_id(0);
    p[i] = i;
    printf("group %d item %d\n", (int)get_group_id(0), (int)get_local_id(0));
}
