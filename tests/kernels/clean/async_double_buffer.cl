// SPDX-License-Identifier: MIT
// The next tile is copied while this one is worked on; two copies share an event; events in an array; barriers between.
// RUN: --global=32 --local=16 --arg=int[128]=iota --arg=int[32]=0
// RUN: --global=20 --local=16 --arg=int[128]=iota --arg=int[32]=0 --build-options=-cl-std=CL2.0
// RUN: --global=2 --local=1 --arg=int[128]=iota --arg=int[32]=0
// DUMP 1: None
kernel void k(global int *in, global int *out)
{
    local int tile[2][16];
    int lid = get_local_id(0), n = get_local_size(0);
    event_t e[2];
    e[0] = async_work_group_copy(tile[0], in, 8, 0);
    e[0] = async_work_group_copy(tile[0] + 8, in + 8, 8, e[0]);
    int sum = 0;
    for (int t = 0; t < 8; t++) {
        if (t < 7)
            e[~t & 1] = async_work_group_copy(tile[~t & 1], in + 16 * (t + 1), 16, 0);
        wait_group_events(1, &e[t & 1]);
        for (int i = 0; i < 16; i++) sum += tile[t & 1][(lid + i) % 16];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
