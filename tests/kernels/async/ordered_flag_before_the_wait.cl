// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=0 --arg=int[16]=0 --arg=int[4]=0 --build-options=-cl-std=CL2.0
// The flag is set before the copy has been waited for.
kernel void k(global int *x, global int *out, global atomic_int *ready)
{
    local int t[8];
    const int l = get_local_id(0), g = get_group_id(0);
    if (g) {
        while (!atomic_load_explicit(&ready[0], memory_order_acquire, memory_scope_device)) {}
        out[l] = x[l]; // OTHER data-race
        return;
    }
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t e = async_work_group_copy(x, t, 8, 0); // EXPECT data-race 'x'
    if (l == 3) atomic_store_explicit(&ready[0], 1, memory_order_release, memory_scope_device);
    wait_group_events(1, &e);
}
