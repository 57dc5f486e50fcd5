// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[32]=iota --arg=int[16]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// Atomics order other memory in this launch; of the tile they order nothing.
kernel void k(global const int *x, global int *out, global atomic_int *n)
{
    local int t[2][8];
    const int l = get_local_id(0);
    event_t e = async_work_group_copy(t[0], x, 8, 0);
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        wait_group_events(1, &e);
        if (i < 3) e = async_work_group_copy(t[(i + 1) & 1], x + (i + 1) * 8, 8, 0); // EXPECT data-race 't'
        sum += t[i & 1][l ^ 1]; // OTHER data-race
    }
    out[get_global_id(0)] = sum;
    atomic_fetch_add_explicit(n, 1, memory_order_acq_rel, memory_scope_device);
}
