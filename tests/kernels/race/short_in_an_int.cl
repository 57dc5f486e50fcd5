// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --arg=int[32]=0
// The upper half of a word that another work-item reads as a whole.
kernel void halves(global int *out)
{
    local int t[33];
    local short *s = (local short *)t;
    int lid = get_local_id(0);
    t[lid] = lid;
    if (lid == 0)
        t[32] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[2 * lid + 1] = 7;    // EXPECT data-race 't'
    out[lid] = t[lid + 1];
}
