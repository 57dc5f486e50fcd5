// SPDX-License-Identifier: MIT
kernel void cross(global int *a, global int *o)
{
    int l = get_local_id(0), g = get_group_id(0), n = get_local_size(0);
    int s = 0;
    for (int r = 0; r < 20; r++) {
        s += r * l;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (g == 1 && l == 3) a[5] = s;
    o[get_global_id(0)] = s;
    if (g == 6 && l == 7) o[0] = a[5];
    barrier(CLK_LOCAL_MEM_FENCE);
    o[get_global_id(0)] += 1;
}
