// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=32 --arg=float4[32]=0
// SAYS: never written at bytes 24..27
kernel void k(global float4 *a)
{
    local float4 t[32];
    int l = get_local_id(0);
    t[l].xyw = (float3)(1, 2, 3);
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = t[l ^ 1]; // EXPECT uninitialized-read 't'
}
