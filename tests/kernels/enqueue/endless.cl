// SPDX-License-Identifier: MIT
// NOT-NATIVE
// RUN: --global=1 --local=1 --arg=int[1]=0 --build-options=-cl-std=CL3.0
// DUMP 0: [513]
// A recursion without end is ended, with a report.
void again(global int *p)
{
    p[0]++;
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(1), ^{ again(p); }); // EXPECT no-progress
}
kernel void k(global int *p) { again(p); }
