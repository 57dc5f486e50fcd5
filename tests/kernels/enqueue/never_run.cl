// SPDX-License-Identifier: MIT
// NOT-NATIVE
// RUN: --global=1 --local=1 --arg=int[2]=0 --build-options=-cl-std=CL3.0
// DUMP 0: [1, 0]
// The user event never gets its status.
kernel void k(global int *p)
{
    clk_event_t user = create_user_event();
    p[0] = 1;
    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1, &user, NULL, ^{ p[1] = 1; }); // EXPECT no-progress
}
