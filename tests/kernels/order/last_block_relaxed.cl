// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[64]=iota --arg=int[4]=0 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
kernel void reduce(global const int *in, global int *part, global atomic_int *count, global int *out)
{
    if (get_local_id(0))
        return;
    part[get_group_id(0)] = in[get_global_id(0)]; // EXPECT data-race 'part'
    if (atomic_fetch_add_explicit(count, 1, memory_order_relaxed, memory_scope_device) == get_num_groups(0) - 1) {
        int sum = 0;
        for (int i = 0; i < 4; i++)
            sum += part[i]; // OTHER data-race
        out[0] = sum;
    }
}
