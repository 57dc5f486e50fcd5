// SPDX-License-Identifier: MIT
// RUN: --kernel=turns --global=2 --local=2 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// Work-item 1 waits for a number that work-item 0 only writes after the barrier that 1 never reaches.
kernel void turns(global atomic_int *f)
{
    if (get_local_id(0) == 1)
        while (atomic_load_explicit(f, memory_order_acquire, memory_scope_work_group) != 1) {} // EXPECT no-progress
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        atomic_store_explicit(f, 1, memory_order_release, memory_scope_work_group);
}
