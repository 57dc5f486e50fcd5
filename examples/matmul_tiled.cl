// SPDX-License-Identifier: MIT
// c = a * b for square matrices of n*n, n a multiple of TILE: a work-group computes a tile of c and
// brings the tiles of a and b that it needs into local memory, one pair after the other.
#define TILE 16

kernel void matmul(global const float *a, global const float *b, global float *c, uint n)
{
    local float ta[TILE][TILE], tb[TILE][TILE];
    uint x = get_local_id(0), y = get_local_id(1);
    uint column = get_global_id(0), row = get_global_id(1);
    float sum = 0;

    for (uint t = 0; t < n; t += TILE) {
        ta[y][x] = a[row * n + t + x]; // bug 1: data-race
        tb[y][x] = b[(t + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < TILE; k++) sum += ta[y][k] * tb[k][x];
#ifndef BUG
        barrier(CLK_LOCAL_MEM_FENCE); // no work-item overwrites the tiles while others still read them
#endif
    }
    c[row * n + column] = sum;
}
