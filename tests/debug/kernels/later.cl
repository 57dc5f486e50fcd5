// SPDX-License-Identifier: MIT
kernel void later(global int *o, int n)
{
    int i = get_global_id(0);
    int old = o[i] + n;
    int2 both = *(global int2 *)(o + 2 * i) * n;
    barrier(CLK_GLOBAL_MEM_FENCE);
    n = 5;
    o[i] = old + n;
    o[i + 4] = both.y;
}
