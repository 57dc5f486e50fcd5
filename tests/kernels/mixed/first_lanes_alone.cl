// SPDX-License-Identifier: MIT
// RUN: --global=256 --local=256 --arg=uint[256]=0 --arg=uint[100]=iota
// Of 256 work-items only the first ones do it, and of these some go wrong; those that stay away would, too.
kernel void some(global uint *out, global const uint *in)
{
    local uint tile[256];
    uint l = get_local_id(0), sum = 0;
    tile[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 40) {
        sum += 100 / (l % 20); // EXPECT division-by-zero
        sum += in[l * 3]; // EXPECT out-of-bounds
        sum += tile[4 * l];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 5) tile[l / 2] = l; // EXPECT data-race
    out[l] = sum;
}
