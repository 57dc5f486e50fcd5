// SPDX-License-Identifier: MIT
// NOT-NATIVE
// RUN: --global=64 --local=16 --arg=int[256]=0 --build-options=-cl-std=CL2.0
// DUMP 0: [i // 4 * 10 + i % 4 for i in range(256)]
// Each work-item enqueues a launch of its own, with what it has captured.
kernel void k(global int *p)
{
    uint i = get_global_id(0);
    void (^fill)(void) = ^{ p[i * 4 + get_global_id(0)] = i * 10 + get_local_id(0); };
    if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(4, 4), fill)) p[0] = -1;
}
