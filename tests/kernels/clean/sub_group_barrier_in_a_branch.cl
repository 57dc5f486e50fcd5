// SPDX-License-Identifier: MIT
// RUN: --build-options=-cl-std=CL3.0 --sub-group-size=4 --global=24 --local=12 --arg=int[24]=iota --arg=int[24]=0 --arg=int[32]=0
// DUMP 1: [[3, 2, 1, 0, -4, -5, -6, -7, -8, -9, -10, -11][i % 12] if i < 12 else [15, 14, 13, 12][i - 12] if i < 16 else -i for i in range(24)]
// Uniform values are computed by the first sub-group alone, and used after its barrier.
kernel void turn(global const int *in, global int *out, global int *tmp)
{
    int gid = get_global_id(0), n = get_sub_group_size(), lane = get_sub_group_local_id();
    int from = get_group_id(0) * get_max_sub_group_size();
    if (get_sub_group_id() == 0) {
        tmp[from + lane] = in[gid];
        sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
        out[gid] = tmp[from + n - 1 - lane];
    } else {
        out[gid] = -in[gid];
    }
}
