// SPDX-License-Identifier: MIT
// RUN: --kernel=atomic_then_read --global=64 --local=8 --arg=int[8]=0 --arg=int[64]=0
// RUN: --kernel=atomic_then_read --global=60 --local=12 --arg=int[8]=0 --arg=int[64]=0
// SAYS: = 4 times between work-groups; shown once
// SAYS: = work-items of one work-group race here, too
// How many groups share a gang does not show in the numbers: each of the four elements that groups race for counts once.
kernel void atomic_then_read(global int *n, global int *out)
{
    const int l = get_local_id(0);
    atomic_inc(&n[l % 8 / 2]); // OTHER data-race
    out[get_global_id(0)] = n[l % 8 / 2]; // EXPECT data-race 'n'
}
