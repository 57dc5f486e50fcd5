// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=0
// The one who writes has read it too; the others have read it as well.
kernel void bump(global int *out)
{
    local int x[1];
    int lid = get_local_id(0);
    if (lid == 0)
        x[0] = 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    int v = x[0]; // OTHER data-race
    if (lid == 15)
        x[0] += 1; // EXPECT data-race 'x'
    out[lid] = v;
}
