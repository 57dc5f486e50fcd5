// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=0 --build-options=-cl-std=CL2.0
// DUMP 0: [0] * 16
// Work-items of a group hand local memory on by release and acquire: none waits, each tests whether the data has arrived.
kernel void k(global int *out)
{
    local int data;
    local atomic_int flag;
    const int l = get_local_id(0);
    if (l == 0) {
        data = 0;
        atomic_init(&flag, 0);
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 3) {
        data = 42;
        atomic_store_explicit(&flag, 1, memory_order_release, memory_scope_work_group);
    }
    if (l != 3 && atomic_load_explicit(&flag, memory_order_acquire, memory_scope_work_group)) out[l] = data & 0;
}
