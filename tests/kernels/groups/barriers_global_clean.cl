// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=8 --arg=int[64]=iota
// RUN: --global=60 --local=12 --arg=int[60]=iota
// DUMP 0: by_group(lambda ids: [6 * ids[0] + 5 * len(ids) + ids[len(ids) - 1 - k] for k in range(len(ids))])
// Groups that run together and hand values on in their own part of global memory, barrier after barrier.
kernel void rounds(global int *a)
{
    const int l = get_local_id(0), n = get_local_size(0), i = get_global_id(0);
    const int mirror = i - l + n - 1 - l;
    for (int k = 0; k < 5; k++) {
        const int v = a[mirror];
        barrier(CLK_GLOBAL_MEM_FENCE);
        a[i] = v + (i - l) + n;
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
    a[i] += i - l;
}
