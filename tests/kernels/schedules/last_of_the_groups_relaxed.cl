// SPDX-License-Identifier: MIT
// RUN: --schedules=16 --global=4 --local=1 --arg=int[4]=0 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// SAYS: seen under schedule
// The first group adds up if it comes last.
kernel void k(global int *part, global atomic_int *count, global int *sum)
{
    const int gid = get_global_id(0);
    part[gid] = gid + 1; // OTHER data-race
    if (gid) {
        atomic_fetch_add_explicit(count, 1, memory_order_relaxed, memory_scope_device);
    } else if (atomic_load_explicit(count, memory_order_acquire, memory_scope_device) == 3) {
        for (int i = 0; i < 4; i++) sum[0] += part[i]; // EXPECT data-race 'part'
    }
}
