// SPDX-License-Identifier: MIT
// A store of a vector counts once for each variable that has no value in it, not once for each component.
// RUN: --global=64 --local=16 --arg=int4[64]=0 --arg=float[64]=0
// SAYS: variable 'v' declared at vector_store_counts_once.cl:12 has no value on this path
// SAYS: 64 times in 4 work-groups
// SAYS: variable 'u' declared at vector_store_counts_once.cl:13 has no value on this path
// SAYS: variable 'f' declared at vector_store_counts_once.cl:17 has no value on this path
// SAYS: 16 times in 4 work-groups
kernel void k(global int4 *out, global float *o)
{
    int l = get_local_id(0);
    int4 v;
    int u;
    v.x = l;
    v.z = u;
    out[get_global_id(0)] = v; // EXPECT uninitialized-read
    float4 f;
    f.xy = (float2)(1);
    if (l & 1) f.z = 2;
    if (l < 4) vstore4(f, get_group_id(0) * 4 + l, o); // EXPECT uninitialized-read
}
