// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=0
kernel void k(global int *o)
{
    local int t[4][4];
    int i = get_local_id(0);
    for (int k = 0; k < 4; k++) t[i][k] = k;
    barrier(CLK_LOCAL_MEM_FENCE);
    o[i] = t[0][i + 2]; // EXPECT subobject-overflow 't'
}
