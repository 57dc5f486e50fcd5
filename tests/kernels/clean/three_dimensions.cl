// SPDX-License-Identifier: MIT
// RUN: --global=4,3,5 --local=2,3,1 --arg=int[60]=0
// DUMP 0: [k % 4 + 100 * (k // 4 % 3) + 10000 * (k // 12) + (k % 4 // 2) * 1000000 + (k // 12) * 10000000 for k in range(60)]
kernel void ids(global int *out)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    int at = (z * get_global_size(1) + y) * get_global_size(0) + x;
    out[at] = x + 100 * y + 10000 * z + 1000000 * (int)get_group_id(0) + 10000000 * (int)get_group_id(2);
}
