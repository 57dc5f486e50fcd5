// SPDX-License-Identifier: MIT
// NOT-NATIVE
// RUN: --global=1 --local=1 --arg=int[8]=0 --build-options=-cl-std=CL3.0
// DUMP 0: [-101, -101, -101, -101, -101, 0, -101, 1024]
// Without -g any error is CLK_ENQUEUE_FAILURE (failing_codes.cl).
kernel void k(global int *p)
{
    queue_t q = get_default_queue();
    clk_event_t user = create_user_event(), gone = create_user_event();
    release_event(gone);
    p[0] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1 << 20, 1 << 20), ^{ p[7]++; });
    p[1] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &gone, NULL, ^{ p[7]++; });
    p[2] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^(local void *a) { p[7]++; }, 0u);
    p[3] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^(local void *a) { p[7]++; }, 1u << 30);
    p[4] = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, NULL, NULL, ^{ p[7]++; });
    p[5] = is_valid_event(gone);
    p[6] = enqueue_marker(q, 1, &gone, NULL);
    p[7] = get_kernel_work_group_size(^{ p[7]++; });
    set_user_event_status(user, CL_COMPLETE);
}
