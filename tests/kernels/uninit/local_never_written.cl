// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=8 --arg=int[16]=iota
// SAYS: 'tmp' is 64 bytes of local memory
// SAYS: never written at bytes 32..35
kernel void k(global int *a)
{
    local int tmp[16];
    int l = get_local_id(0);
    tmp[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[get_global_id(0)] = tmp[l] + tmp[l + 8]; // EXPECT uninitialized-read 'tmp'
}
