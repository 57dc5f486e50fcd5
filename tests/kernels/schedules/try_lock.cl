// SPDX-License-Identifier: MIT
// RUN: --schedules=64 --global=8 --local=8 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// RUN: --schedules=64 --global=64 --local=8 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// RUN: --schedule=999999 --global=64 --local=8 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0
// DUMP 0: [0]
kernel void k(global atomic_int *lock, global int *count)
{
    if (!atomic_exchange_explicit(lock, 1, memory_order_acquire, memory_scope_device)) {
        count[0] += 1;
        atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
    }
}
