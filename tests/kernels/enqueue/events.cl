// SPDX-License-Identifier: MIT
// NOT-NATIVE
// RUN: --global=1 --local=1 --arg=int[4]=0 --arg=ulong[2]=0 --build-options=-cl-std=CL3.0
// DUMP 0: [42, 20, 1, 1]
// Launches in the order of their events, not of their calls: a user event, a marker, a wait list.
kernel void k(global int *p, global ulong *times)
{
    queue_t q = get_default_queue();
    clk_event_t user = create_user_event(), first, second, both[2], marker;
    ndrange_t one = ndrange_1D(1);
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &user, &first, ^{ p[1] = 10; });
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &first, &second, ^{ p[1] *= 2; });
    both[0] = first;
    both[1] = second;
    enqueue_marker(q, 2, both, &marker);
    capture_event_profiling_info(second, CLK_PROFILING_COMMAND_EXEC_TIME, times);
    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, one, 1, &marker, NULL, ^{
        p[0] = p[1] + 22;
        p[3] = times[0] > 0 && times[1] >= times[0];
    });
    p[2] = is_valid_event(second);
    set_user_event_status(user, CL_COMPLETE);
    retain_event(user);
    release_event(user);
    release_event(user);
    release_event(first);
    release_event(second);
    release_event(marker);
}
