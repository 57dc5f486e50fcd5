// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[64]=iota --arg=int[4]=0 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// RUN: --global=64 --local=16 --arg=int[64]=iota --arg=int[4]=0 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL3.0
// DUMP 3: [sum(range(64))]
kernel void reduce(global const int *in, global int *part, global atomic_int *count, global int *out)
{
    local int t[16], is_last;
    int lid = get_local_id(0);
    t[lid] = in[get_global_id(0)];
    for (int s = 8; s; s /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lid < s)
            t[lid] += t[lid + s];
    }
    if (lid == 0) {
        part[get_group_id(0)] = t[0];
        is_last = atomic_fetch_add_explicit(count, 1, memory_order_acq_rel, memory_scope_device) == get_num_groups(0) - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (is_last && lid == 0) {
        int sum = 0;
        for (int i = 0; i < 4; i++)
            sum += part[i];
        out[0] = sum;
    }
}
