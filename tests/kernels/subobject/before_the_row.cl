// SPDX-License-Identifier: MIT
// A tile's halo: the first column looks left, into the row above.
// RUN: --global=8,4 --local=8,4 --arg=int[32]=0
// SAYS: index -1 is outside its array of 8 elements, in local memory 'tile'
// SAYS: 3 times
kernel void k(global int *out)
{
    local int tile[4][8];
    int x = get_local_id(0), y = get_local_id(1), v = 0;
    tile[y][x] = x;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (y > 0)
        v = tile[y][x - 1]; // EXPECT subobject-overflow
    out[8 * y + x] = v;
}
