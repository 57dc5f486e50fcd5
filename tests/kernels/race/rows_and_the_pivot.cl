// SPDX-License-Identifier: MIT
// A row of a matrix for each work-item, of which all read the pivot's; its owner may only write when the others have read it.
// RUN: --global=64 --local=16 --arg=float[1024]=rand:3 --arg=float[1024]=0
// RUN: --global=32 --local=16 --arg=float[512]=rand:3 --arg=float[512]=0 --gang=16
kernel void k(global const float *from, global float *to)
{
    local float t[16][17];
    const int l = get_local_id(0), first = get_group_id(0) * 256;
    for (int y = 0; y < 16; y++) t[y][l] = from[first + y * 16 + l] + (y == l ? 20 : 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 15; k++) {
        if (l > k) t[l][k] /= t[k][k];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l >= k)
            for (int x = k + 1; x < 16; x++)
                t[l][x] -= // EXPECT data-race 't'
                    t[l][k] * t[k][x]; // OTHER data-race
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int y = 0; y < 16; y++) to[first + y * 16 + l] = t[y][l];
}
