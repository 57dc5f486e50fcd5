// SPDX-License-Identifier: MIT
// One variable without a value decides at many places: one finding, which names them all.
// RUN: --global=8 --local=8 --arg=int[8]=0 --arg=int[8]=iota
// SAYS: also: access at one_cause_many_places.cl:13:9
// SAYS: also: write at one_cause_many_places.cl:14:14
// SAYS: cldbg: 1 error in 1 kernel launch (1 uninitialized-read)
kernel void k(global int *out, global const int *in)
{
    int depth, lid = get_local_id(0), a[4] = {1, 2, 3, 4}, h = 0;
    if (depth > 3) // EXPECT uninitialized-read 'depth'
        h = 1;
    h +=
        a[(uint)depth % 4]; // EXPECT uninitialized-read
    out[lid] = h + depth; // EXPECT uninitialized-read
}
