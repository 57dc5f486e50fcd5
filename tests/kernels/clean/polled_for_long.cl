// SPDX-License-Identifier: MIT
// RUN: --kernel=groups --global=16 --local=8 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0 --schedules=1
// RUN: --kernel=gangs --global=128 --local=128 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0 --schedules=1
// RUN: --kernel=gangs --global=128 --local=128 --arg=int[1]=0 --arg=int[1]=0 --build-options=-cl-std=CL2.0 --schedules=1 --gang=128
// DUMP 1: [1]
// One waits for what another takes long to compute: all that it does in a round is the same, and yet it ends.
#define COMPUTE()                                                                                  \
    do {                                                                                           \
        uint s = 1;                                                                                \
        for (int i = 0; i < 3000000; i++) s = s * 1664525u + 1013904223u;                          \
        atomic_store_explicit(flag, s | 1, memory_order_release, memory_scope_device);             \
    } while (0)
kernel void groups(global atomic_int *flag, global int *out)
{
    if (get_global_id(0) == 0) {
        while (!atomic_load_explicit(flag, memory_order_acquire, memory_scope_device)) {}
        out[0] = 1;
    } else if (get_global_id(0) == 8) {
        COMPUTE();
    }
}
kernel void gangs(global atomic_int *flag, global int *out)
{
    if (get_global_id(0) == 0) {
        while (!atomic_load_explicit(flag, memory_order_acquire, memory_scope_device)) {}
        out[0] = 1;
    } else if (get_global_id(0) == 100) {
        COMPUTE();
    }
}
