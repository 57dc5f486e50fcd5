// SPDX-License-Identifier: MIT
// The statements of a macro stand where it is used: a read and a write there are not one statement, and a barrier fixes it.
// RUN: --global=8 --local=8 --arg=int[8]=iota
// SAYS: help: Put a barrier between the two accesses
#define SUM(t)                                       \
    for (int d = 4; d > 0; d /= 2) {                 \
        if (l < d) t[l] += t[l + d];                 \
    }
kernel void sums(global int *a)
{
    const int l = get_local_id(0);
    local int t[8];
    t[l] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    SUM(t) // EXPECT data-race 't'
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = t[0];
}
