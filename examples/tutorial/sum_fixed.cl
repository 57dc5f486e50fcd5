// SPDX-License-Identifier: MIT
kernel void sum(global const float *x, global float *partial, int n)
{
    local float tmp[64];
    int i = get_global_id(0), lid = get_local_id(0);

    tmp[lid] = i < n ? x[i] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 32; s > 0; s /= 2) {
        if (lid < s)
            tmp[lid] += tmp[lid + s];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (lid == 0)
        partial[get_group_id(0)] = tmp[0];
}
