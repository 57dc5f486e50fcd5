// SPDX-License-Identifier: MIT
// One barrier is missing, and two accesses after it race with the write: one finding. The race on other memory is another.
// RUN: --global=8 --local=8 --arg=int[8]=0 --arg=int[1]=0
// SAYS: also: write of 4 bytes at one_barrier_many_pairs.cl:11:15, and read of 4 bytes at one_barrier_many_pairs.cl:13:10
// SAYS: cldbg: 2 errors in 1 kernel launch (2 data-race)
kernel void k(global int *out, global int *sum)
{
    local int tile[8];
    const int lid = get_local_id(0);
    int h = 0;
    tile[lid] = lid; // EXPECT data-race 'tile'
    h += tile[7 - lid]; // OTHER data-race
    h += tile[(lid + 1) % 8]; // OTHER data-race
    out[lid] = h;
    *sum += h; // EXPECT data-race 'sum'
}
