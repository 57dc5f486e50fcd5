// SPDX-License-Identifier: MIT
// NOT-NATIVE
// RUN: --global=4 --local=4 --arg=int[4]=0 --build-options=-cl-std=CL3.0
// Nor without its local memory: a local void * argument gives it some of its own.
kernel void k(global int *p)
{
    local int s[4];
    local int *to = s;
    s[get_local_id(0)] = 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(4), ^{ // EXPECT address-space
            p[get_global_id(0)] = to[get_global_id(0)]; // EXPECT address-space
        });
}
