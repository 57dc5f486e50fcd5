// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[32]=iota --arg=int[16]=0
// SAYS: [async-not-waited]
// SAYS: [data-race]
// No work-item waits for a copy or for the work-items that read what the previous copy wrote.
kernel void neither(global const int *in, global int *out)
{
    local int t[8];
    int l = get_local_id(0), s = 0;
    for (int i = 0; i < 4; i++) {
        async_work_group_copy(t, in + 8 * i, 8, 0); // EXPECT async-not-waited data-race 't'
        s += t[7 - l];
    }
    out[get_global_id(0)] = s;
}
