// SPDX-License-Identifier: MIT
// RUN: --build-options=-cl-std=CL3.0 --global=11,5 --local=3,2 --offset=0,0 --arg=int[55]=0 --arg=int[55]=0
// DUMP 0: [min(3, 11 - x // 3 * 3) * 10 + min(2, 5 - y // 2 * 2) + 100 * (x // 3) + 1000 * (y // 2) for y in range(5) for x in range(11)]
// DUMP 1: [x % 3 + x // 3 * 3 + 100 * y for y in range(5) for x in range(11)]
// The last groups of a row and the last row are smaller: they run by themselves.
kernel void uneven(global int *size, global int *id)
{
    int at = get_global_id(1) * 11 + get_global_id(0);
    size[at] = get_local_size(0) * 10 + get_local_size(1) + 100 * get_group_id(0) + 1000 * get_group_id(1);
    id[at] = get_local_id(0) + get_group_id(0) * get_enqueued_local_size(0) + 100 * get_global_id(1);
}
