// SPDX-License-Identifier: MIT
// RUN: --build-options=-cl-std=CL3.0 --global=6,4,3 --local=1,2,1 --offset=5,0,2 --arg=int[72]=0
// DUMP 0: [(x + 5) + 100 * y + 1000 * (z + 2) + 10000 * x + 100000 * (y // 2) + 1000000 * z + 50000000 * (y % 2) for z in range(3) for y in range(4) for x in range(6)]
// Every id of small groups that run together, in three dimensions.
kernel void ids(global int *out)
{
    int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
    int group = 10000 * get_group_id(0) + 100000 * get_group_id(1) + 1000000 * get_group_id(2);
    out[get_global_linear_id()] = x + 100 * y + 1000 * z + group + 50000000 * get_local_linear_id();
}
