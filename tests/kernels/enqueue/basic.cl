// SPDX-License-Identifier: MIT
// NOT-NATIVE
// RUN: --global=64 --local=16 --arg=int[64]=0 --arg=int=5 --build-options=-cl-std=CL3.0
// DUMP 0: [5 + i + 48 if i < 48 else 0 for i in range(64)]
// A block that captures a scalar and a pointer to global memory; one work-item enqueues it.
kernel void k(global int *p, int n)
{
    if (get_global_id(0) == 0)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(48), ^{
            p[get_global_id(0)] += n + get_global_id(0) + get_global_size(0);
        });
}
