// SPDX-License-Identifier: MIT
// NOT-NATIVE
// RUN: --global=1 --local=1 --arg=int[1]=0 --build-options=-cl-std=CL3.0
kernel void k(global int *p)
{
    clk_event_t user = create_user_event(), marker;
    enqueue_marker(get_default_queue(), 1, &user, &marker);
    set_user_event_status(user, CL_COMPLETE);
    set_user_event_status(user, CL_COMPLETE); // EXPECT invalid-event
    set_user_event_status(marker, CL_COMPLETE); // EXPECT invalid-event
    release_event(marker);
    release_event(marker); // EXPECT invalid-event
    release_event(user);
    retain_event(user); // EXPECT invalid-event
    p[0] = is_valid_event(user);
}
