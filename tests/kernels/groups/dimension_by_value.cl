// SPDX-License-Identifier: MIT
// RUN: --global=4,6 --local=1,2 --arg=int[24]=0
// DUMP 0: [(x if x % 2 == 0 else y // 2) for y in range(6) for x in range(4)]
kernel void by_value(global int *p)
{
    int x = get_global_id(0), y = get_global_id(1);
    p[y * 4 + x] = get_group_id(x % 2);
}
