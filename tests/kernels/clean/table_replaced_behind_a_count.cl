// SPDX-License-Identifier: MIT
// RUN: --global=128 --local=64 --arg=uint[128]=0 --build-options=-cl-std=CL2.0
// DUMP 0: [30] * 128
// All read places of local memory, some of them those of others, and who counts last that all have replaces them; the others wait for that.
kernel void replace(global uint *out)
{
    local uint entry[64];
    local atomic_int read, replaced;
    const uint l = get_local_id(0);
    uint right = 0;
    for (int k = 0; k < 3; k++) {
        entry[l] = l * k;
        if (l == 0) {
            atomic_init(&read, 0);
            atomic_init(&replaced, 0);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 5; i++) right += entry[i] == i * k && entry[(l * 7 + right) % 64] == (l * 7 + right) % 64 * k;
        if (atomic_fetch_add_explicit(&read, 1, memory_order_acq_rel, memory_scope_work_group) == 63) {
            for (int i = 0; i < 64; i++) entry[i] = i + k;
            atomic_store_explicit(&replaced, 1, memory_order_release, memory_scope_work_group);
        }
        while (!atomic_load_explicit(&replaced, memory_order_acquire, memory_scope_work_group)) {}
        for (int i = 0; i < 5; i++) right += entry[i] == i + k && entry[(l * 5 + right) % 64] == (l * 5 + right) % 64 + k;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = right;
}
