// SPDX-License-Identifier: MIT
// A flag in local memory, which orders local memory: the data that follow it are global.
// RUN: --global=16 --local=16 --arg=int[2]=0 --build-options=-cl-std=CL2.0
// SAYS: warning: possible missing fence (only an atomic in other memory) on global memory 'd'
// SAYS: ordered only by an atomic on local memory 'f', byte 0 (read at
// SAYS: it orders local memory only, unless both sides are memory_order_seq_cst
// SAYS: help: A flag in local memory orders local memory
kernel void k(global int *d)
{
    local atomic_int f;
    int l = get_local_id(0);
    if (l == 0) atomic_init(&f, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        d[1] = 5; // EXPECT missing-fence 'd'
        atomic_store_explicit(&f, 1, memory_order_release, memory_scope_work_group);
    }
    if (l == 3 && atomic_load_explicit(&f, memory_order_acquire, memory_scope_work_group) == 1) d[0] = d[1]; // OTHER missing-fence
}
