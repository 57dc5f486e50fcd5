// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=float[64]=iota --arg=float[16]=0
// DUMP 1: None
// NOTE: 't' is 128 bytes of local memory (declared at waits_for_another_copy.cl:9)
// NOTE: the work-group ended with the copy in flight: no wait_group_events was given its event
// NOTE: it was read at waits_for_another_copy.cl:15:29, before the copy was known to be complete
kernel void k(global const float *in, global float *out)
{
    local float t[2][16];
    event_t e[2];
    int l = get_local_id(0);
    e[0] = async_work_group_copy(t[0], in, 16, 0);
    e[1] = async_work_group_copy(t[1], in + 16, 16, 0); // EXPECT async-not-waited 't'
    wait_group_events(1, &e[0]);
    out[l] = t[0][15 - l] + t[1][l];
}
