// SPDX-License-Identifier: MIT
// RUN: --kernel=sum --global=32 --local=8 --arg=int[32]=iota --arg=int[4]=0 --arg=uint[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// The last group to finish adds the others' partial sums: the ticket must be acq_rel, here it is relaxed.
kernel void sum(global const int *a, global int *part, global atomic_uint *ticket, global int *out)
{
    local int t[8];
    local uint mine;
    int l = get_local_id(0);
    t[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        int s = 0;
        for (int k = 0; k < 8; k++) s += t[k];
        part[get_group_id(0)] = s; // OTHER data-race
        mine = atomic_fetch_add_explicit(ticket, 1, memory_order_relaxed, memory_scope_device);
        if (mine == get_num_groups(0) - 1) {
            int all = 0;
            for (uint k = 0; k < get_num_groups(0); k++) all += part[k]; // EXPECT data-race 'part'
            *out = all;
        }
    }
}
