// SPDX-License-Identifier: MIT
// The reverse: a flag in global memory and data in local memory.
// RUN: --global=16 --local=16 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// SAYS: it orders global memory only, unless both sides are memory_order_seq_cst
kernel void k(global atomic_int *f, global int *d)
{
    local int x;
    int l = get_local_id(0);
    if (l == 0) {
        x = 5; // EXPECT missing-fence 'x'
        atomic_store_explicit(f, 1, memory_order_release, memory_scope_work_group);
    }
    if (l == 3 && atomic_load_explicit(f, memory_order_acquire, memory_scope_work_group) == 1) d[0] = x; // OTHER missing-fence
}
