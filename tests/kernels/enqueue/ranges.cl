// SPDX-License-Identifier: MIT
// NOT-NATIVE
// RUN: --global=1 --local=1 --arg=int[128]=0 --arg=ulong=0 --build-options=-cl-std=CL3.0
// DUMP 0: [10, 6, 3, 211, 111, 3, 0, 12, 36, 5, 4, 3] + [0] * 52 + [3] * 2 + [2] * 58 + [0] * 4
// Ranges of all forms, and a queue that is an argument of the kernel.
kernel void k(global int *p, queue_t q)
{
    size_t o[3] = {1, 2, 3}, g[3] = {5, 4, 3}, l[3] = {5, 2, 1};
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(6, 10, 3), ^{
        if (get_global_linear_id() == 0) p[0] = get_global_size(0), p[1] = get_global_offset(0), p[2] = get_enqueued_local_size(0);
    });
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_2D(o, g, l), ^{
        if (get_global_linear_id() == 0)
            p[3] = get_work_dim() * 100 + get_num_groups(0) * 1 + get_num_groups(1) * 5, p[4] = get_global_offset(0) * 101 + get_global_offset(1) * 5,
            p[5] = get_global_size(0) - get_global_offset(1);
    });
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_3D(g), ^{ p[64 + get_global_linear_id()]++; });
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_3D(o, g, l), ^{ p[64 + get_global_linear_id()]++; });
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_2D(g), ^{
        if (get_global_linear_id() == 0) p[7] = get_global_size(0) + get_global_size(1) + get_global_size(2) + get_work_dim();
    });
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_3D(g, l), ^{
        if (get_global_linear_id() == 0)
            p[8] = get_num_groups(0) * get_num_groups(1) * get_num_groups(2) * 6, p[9] = get_global_size(0), p[10] = get_global_size(1),
            p[11] = get_global_size(2);
    });
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(2, 1), ^{ p[64 + get_global_linear_id()]++; });
}
