// SPDX-License-Identifier: MIT
// RUN: --kernel=sum --global=32 --local=8 --arg=int[32]=iota --arg=int[32]=0 --arg=uint[1]=0 --arg=int[8]=0 --build-options=-cl-std=CL2.0
// Every work-item stores its own part, but only the first one's stores are released by its ticket: no barrier lies before.
kernel void sum(global const int *a, global int *part, global atomic_uint *ticket, global int *out)
{
    local int last;
    int l = get_local_id(0);
    part[get_global_id(0)] = 2 * a[get_global_id(0)]; // OTHER data-race
    if (l == 0)
        last = atomic_fetch_add_explicit(ticket, 1, memory_order_acq_rel, memory_scope_device) == get_num_groups(0) - 1;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (last) {
        int s = 0;
        for (int k = 0; k < 4; k++) s += part[8 * k + l]; // EXPECT data-race 'part'
        out[l] = s;
    }
}
