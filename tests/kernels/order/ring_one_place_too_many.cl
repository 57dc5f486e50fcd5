// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=4 --arg=int[2]=0 --arg=int[1]=0 --arg=int[1]=0 --arg=int[16]=0 --build-options=-cl-std=CL2.0
// The producer does not acquire what the consumer is done with.
kernel void ring(global int *slot, global atomic_int *head, global atomic_int *tail, global int *out)
{
    if (get_local_id(0))
        return;
    for (int i = 0; i < 16; i++) {
        if (get_group_id(0) == 0) {
            while (i - atomic_load_explicit(tail, memory_order_relaxed, memory_scope_device) >= 2)
                ;
            slot[i % 2] = i * 3; // EXPECT data-race 'slot'
            atomic_store_explicit(head, i + 1, memory_order_release, memory_scope_device);
        } else {
            while (atomic_load_explicit(head, memory_order_acquire, memory_scope_device) <= i)
                ;
            out[i] = slot[i % 2]; // OTHER data-race
            atomic_store_explicit(tail, i + 1, memory_order_release, memory_scope_device);
        }
    }
}
