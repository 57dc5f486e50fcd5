// SPDX-License-Identifier: MIT
// RUN: --global=4,4,4 --local=4,2,2 --arg=int[64]=0
// DUMP 0: [i // 16 for i in range(64)]
kernel void k(global int *o)
{
    o[(get_global_id(2) * 4 + get_global_id(1)) * 4 + get_global_id(0)] = get_global_id(2);
}
