// SPDX-License-Identifier: MIT
// RUN: --build-options=-cl-std=CL3.0 --global=64 --local=64 --arg=half[2]=0
// A plain read of a half that others add to atomically; its neighbor in the same word is another object of the race check.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void sum(global half *p)
{
    if (get_local_id(0) != 5)
        atomic_fetch_add_explicit((volatile global atomic_half *)&p[0], 1.0h, memory_order_relaxed, memory_scope_device); // EXPECT data-race
    else
        p[1] = p[0]; // OTHER data-race
}
