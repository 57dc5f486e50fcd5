// SPDX-License-Identifier: MIT
// NOT-NATIVE
// RUN: --global=1 --local=1 --arg=int[4]=0 --build-options=-cl-std=CL3.0
// A block runs without the private memory of its parent.
kernel void k(global int *p)
{
    int x[4] = {1, 2, 3, 4};
    int *to = x;
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ // EXPECT address-space
        p[0] = p[1] + 1;
        p[1] = to ? 1 : 0;
    });
}
