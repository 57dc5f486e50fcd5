// SPDX-License-Identifier: MIT
// RUN: --global=256 --local=256 --arg=uint[256]=0
// Only the first work-items read it; before and after, all of them do something with the same registers.
kernel void some(global uint *out)
{
    local uint tile[256];
    uint l = get_local_id(0), sum = 3 * l + 1, never;
    if (l % 2) tile[l] = l;
    if (l >= 30 && l < 34) never = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 40) {
        uint t = tile[2 * l + (l != 7)];
        out[l] = t * 3 + 1; // EXPECT uninitialized-read 'tile'
    }
    sum = 3 * sum + l;
    if (l < 38 && l >= 30) sum += never;
    if (l < 64) out[l + 64] = sum; // EXPECT uninitialized-read 'never'
}
