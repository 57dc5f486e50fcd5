// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[32]=iota --arg=int[16]=0
// SAYS: nothing orders the access before the copy: put a barrier between the two
// SAYS: the copy may run until wait_group_events is called with its event
// Two errors of the same two places: the read comes before the copy has ended, and the next copy before the others have read.
kernel void late(global const int *in, global int *out)
{
    local int t[8];
    int l = get_local_id(0), s = 0;
    for (int i = 0; i < 4; i++) {
        event_t e = async_work_group_copy(t, in + 8 * i, 8, 0); // EXPECT data-race 't'
        s += t[7 - l];
        wait_group_events(1, &e);
    }
    out[get_global_id(0)] = s;
}
