// SPDX-License-Identifier: MIT
// RUN: --global=8,8 --local=8,8 --arg=float[64]=iota --arg=float[64]=0
// The column after the last is padding: in the array, never written.
kernel void k(global const float *x, global float *out)
{
    local float t[8][9];
    const int c = get_local_id(0), r = get_local_id(1);
    t[r][c] = x[r * 8 + c];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[r * 8 + c] = t[r][c + 1]; // EXPECT uninitialized-read 't'
}
