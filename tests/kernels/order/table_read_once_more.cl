// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=64 --arg=uint[64]=0 --build-options=-cl-std=CL2.0
// Who counts last that all have read the place may replace it; but the first work-item read it once more after it had counted.
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
    const int before = atomic_fetch_add_explicit(&read, 1, memory_order_acq_rel, memory_scope_work_group);
    if (l == 0) x += entry;
    if (before == 63) entry = 7; // EXPECT data-race
    out[l] = x;
}
