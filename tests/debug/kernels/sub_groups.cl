// SPDX-License-Identifier: MIT
kernel void sums(global int *o)
{
    int i = get_global_id(0), late = 0;
    if (i & 1) late = 10;
    int sum = sub_group_reduce_add(i + late);
    int before = sub_group_scan_exclusive_add(1);
    o[i] = sum * 100 + before;
}
