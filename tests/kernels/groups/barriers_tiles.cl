// SPDX-License-Identifier: MIT
// RUN: --global=96 --local=8 --arg=int[96]=iota --arg=int[12]=0 --arg=local:int[8]
// RUN: --global=96 --local=3 --arg=int[96]=iota --arg=int[32]=0 --arg=local:int[3]
// DUMP 0: by_group(lambda ids: [(ids[L - 1 - k] + 10 * (ids[0] // L) + L * 7) for k in range(len(ids))])
// DUMP 1: by_group(lambda ids: [sum(ids)])
// Small groups with barriers that run together: each has its own local memory, as a variable and as an argument, read by one
// index for all, by others, through a helper, and counted in by atomics.
int last_of(local int *t, int n) { return t[n]; }
kernel void tiles(global int *a, global int *sums, local int *own)
{
    local int tile[11], count, rounds[2];
    const int l = get_local_id(0), n = get_local_size(0), i = get_global_id(0);
    if (l == 0) count = 0;
    tile[l] = a[i];
    own[n - 1 - l] = get_group_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&count, tile[l]);
    for (int k = 0; k < n; k++) {
        if (l == k % n) rounds[k & 1] = k;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (rounds[k & 1] != k) tile[0] = -1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[i] = tile[n - 1 - l] + 10 * last_of(own, l) + n * 7;
    if (l == 0) sums[get_group_id(0)] = count;
}
