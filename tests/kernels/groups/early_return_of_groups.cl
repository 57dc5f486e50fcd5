// SPDX-License-Identifier: MIT
// RUN: --global=48 --local=3 --arg=int[48]=-1
// DUMP 0: [i // 3 if i // 3 % 2 else -1 for i in range(48)]
kernel void some(global int *p)
{
    if (get_group_id(0) % 2 == 0) return;
    p[get_global_id(0)] = get_group_id(0);
}
