// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=64 --arg=uint[64]=0 --build-options=-cl-std=CL2.0
// All read a place of local memory, and who counts last that they have may replace it; but the others go on to read.
kernel void replace(global uint *out)
{
    local uint entry;
    local atomic_int read;
    const uint l = get_local_id(0);
    if (l == 0) {
        entry = 5;
        atomic_init(&read, 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    uint x = 0;
    for (int k = 0; k < 3; k++) x += entry * k;
    if (atomic_fetch_add_explicit(&read, 1, memory_order_acq_rel, memory_scope_work_group) == 63)
        entry = 7; // EXPECT data-race
    x += entry;
    out[l] = x;
}
