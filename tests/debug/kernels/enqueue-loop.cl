// SPDX-License-Identifier: MIT
kernel void k(global int *p)
{
    if (get_global_id(0) == 0)
        for (int i = 0; i < 3; i++)
            enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL, ndrange_1D(4), ^{
                p[get_global_id(0)] += 1;
            });
}
