// SPDX-License-Identifier: MIT
// Consecutive lanes write and read consecutive elements, the readers eight more than were written.
// RUN: --global=128 --local=64 --arg=int[128]=0
// DUMP 0: [N0 if 8 <= i % 64 < 40 else None if 40 <= i % 64 < 48 else 0 for N0, i in ((3 * (i % 64), i) for i in range(128))]
kernel void k(global int *out)
{
    local int t[64];
    const int l = get_local_id(0);
    if (l < 40) t[l] = 3 * l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l >= 8 && l < 48) {
        const int v = t[l];
        out[get_global_id(0)] = v; // EXPECT uninitialized-read
    }
}
