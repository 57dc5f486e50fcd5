// SPDX-License-Identifier: MIT
// NOT-NATIVE
// RUN: --global=1 --local=1 --arg=int[16]=0 --arg=int=16 --build-options=-cl-std=CL3.0
// What a child does wrong is reported as in any launch: a race, an access out of bounds, by the parent's name of the buffer.
kernel void k(global int *p, int n)
{
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(n + 1), ^{
        int i = get_global_id(0);
        if (i > 0) p[i] = i; // EXPECT out-of-bounds 'p'
        else if (n < 0) p[i + 1] = 0;
    });
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(8), ^{
        int i = get_global_id(0);
        if (i < 7) p[i] = p[i + 1]; // EXPECT data-race 'p'
    });
}
