// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=16 --sub-group-size=8 --arg=int[1]=0 --arg=int[64]=0 --build-options=-cl-std=CL3.0
// DUMP 1: [28, 28, 28, 28, 28, 28, 28, 28, 92, 92, 92, 92, 92, 92, 92, 92] * 2 + [28] * 8 + [92] * 8 + [28] * 8 + [92] * 8
// One of a sub-group waits for a flag that another sub-group, or group, sets; the rest of its own waits for it, twice in a loop.
kernel void k(global atomic_int *flag, global int *out)
{
    int l = get_local_id(0), i = get_global_id(0);
    for (int round = 0; round < 2; round++) {
        if (l == 3) while (!atomic_load_explicit(flag, memory_order_acquire, memory_scope_device)) {}
        if (l == 9) atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
        out[32 * round + i] = sub_group_reduce_add(l);
    }
}
