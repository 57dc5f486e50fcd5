// SPDX-License-Identifier: MIT
// RUN: --kernel=sum --global=32 --local=8 --arg=int[32]=iota --arg=int[4]=0 --arg=uint[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// DUMP 3: [496]
kernel void sum(global const int *a, global int *part, global atomic_uint *ticket, global int *out)
{
    local int t[8];
    local int last;
    int l = get_local_id(0);
    t[l] = a[get_global_id(0)];
    for (int s = 4; s; s /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < s) t[l] += t[l + s];
    }
    if (l == 0) {
        part[get_group_id(0)] = t[0];
        last = atomic_fetch_add_explicit(ticket, 1, memory_order_acq_rel, memory_scope_device) == get_num_groups(0) - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (last && l == 0) {
        int all = 0;
        for (uint k = 0; k < get_num_groups(0); k++) all += part[k];
        *out = all;
    }
}
