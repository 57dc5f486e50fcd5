// SPDX-License-Identifier: MIT
kernel void rounds(global int *o, local int *t)
{
    int i = get_global_id(0), l = get_local_id(0), s = 0;
    for (int r = 0; r < 3000; r++) {
        t[l] = i + r + s % 7;
        barrier(CLK_LOCAL_MEM_FENCE);
        s += t[(l + 1) % get_local_size(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    o[i] = s;
}
