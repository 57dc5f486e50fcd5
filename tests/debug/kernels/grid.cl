// SPDX-License-Identifier: MIT
kernel void grid(global int *o, int w)
{
    int x = get_global_id(0), y = get_global_id(1);
    int v = x * y;
    if (x > y) v = -v;
    barrier(CLK_GLOBAL_MEM_FENCE);
    o[y * w + x] = v;
}

kernel void other(global int *o)
{
    o[get_global_id(0)] = 1;
}
