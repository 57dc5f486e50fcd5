// SPDX-License-Identifier: MIT
// The later a work-group the longer it takes, so that a worker thread that is done takes groups of another's share: what groups
// of both did is compared all the same, and the report does not depend on which worker ran them.
// RUN: --global=8192 --local=64 --arg=int[8193]=0 --arg=int[64]=0 --arg=uint=40
kernel void skewed(global int *out, global int *shared, uint n)
{
    const uint i = get_global_id(0);
    int x = i;
    for (uint k = 0; k < get_group_id(0) * n; k++) x = x * 5 + 1;
    out[i] = x; // EXPECT data-race 'out'
    if (i % 1000 == 63) out[i + 1] = x; // OTHER data-race
    shared[i / 4096] = i; // EXPECT data-race 'shared'
}
