// SPDX-License-Identifier: MIT
// Each work-group adds up a part of x; the host adds up the sums of the groups. The work-group size is a power of two.
kernel void reduce(global const uint *x, global uint *sums, local uint *tmp)
{
    uint lid = get_local_id(0);
    tmp[lid] = x[get_global_id(0)];

    for (uint s = get_local_size(0) / 2; s > 0; s /= 2) {
#ifndef BUG
        barrier(CLK_LOCAL_MEM_FENCE);
#endif
        if (lid < s) {
#if BUG == 2
            barrier(CLK_LOCAL_MEM_FENCE); // bug 2: barrier-divergence
#endif
            tmp[lid] += tmp[lid + s]; // bug 1: data-race
        }
    }
    if (lid == 0) sums[get_group_id(0)] = tmp[0];
}
