// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[32]=iota --arg=int[32]=-1 --arg=int[1]=0
// DUMP 2: [11]
// Kept elements of a group lie side by side; one atomic a group reserves the room.
kernel void k(global const int *x, global int *out, volatile global int *count)
{
    local int place[8], base;
    const int l = get_local_id(0), v = x[get_global_id(0)], keep = v % 3 == 0;
    place[l] = keep;
    for (int d = 1; d < 8; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        const int before = l >= d ? place[l - d] : 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        place[l] += before;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 7) base = atomic_add(count, place[7]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (keep) out[base + place[l] - 1] = v;
}
