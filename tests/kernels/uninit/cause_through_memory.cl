// SPDX-License-Identifier: MIT
// A value that was never given goes through private and local memory: the report names the variable that lacked it.
// RUN: --global=16 --local=8 --arg=int[16]=0
// SAYS: variable 'missing' declared at cause_through_memory.cl:9 has no value on this path; it came here through other memory
kernel void k(global int *out)
{
    local int tile[8];
    int a[4], lid = get_local_id(0);
    int missing;
    for (int i = 0; i < 4; i++) a[i] = missing + i;
    tile[lid] = a[lid & 3];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[7 - lid]; // EXPECT uninitialized-read 'missing'
}
