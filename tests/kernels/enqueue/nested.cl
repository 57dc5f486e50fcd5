// SPDX-License-Identifier: MIT
// NOT-NATIVE
// RUN: --global=1 --local=1 --arg=int[8]=0 --arg=int[1]=0 --build-options=-cl-std=CL3.0
// DUMP 0: [5, 4, 3, 2, 1, 0, 0, 0]
// DUMP 1: [15]
// A block that enqueues itself until there is nothing left; its event waits for all of them.
void step(global int *p, int left)
{
    if (!left) return;
    *p = left;
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP, ndrange_1D(1), ^{ step(p + 1, left - 1); });
}
kernel void k(global int *p, global int *sum)
{
    clk_event_t all;
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 0, NULL, &all, ^{ step(p, 5); });
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &all, NULL, ^{
        for (int i = 0; i < 8; i++) *sum += p[i];
    });
    release_event(all);
}
