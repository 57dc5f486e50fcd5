// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[4]=0 --build-options=-cl-std=CL2.0
// DUMP 0: [16] * 4
kernel void count(global int *out)
{
    local int n;
    local atomic_int lock;
    if (get_local_id(0) == 0) {
        n = 0;
        atomic_init(&lock, 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    bool done = false;
    while (!done) {
        if (!atomic_exchange_explicit(&lock, 1, memory_order_acquire, memory_scope_work_group)) {
            n++;
            atomic_store_explicit(&lock, 0, memory_order_release, memory_scope_work_group);
            done = true;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = n;
}
