// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=uint[8]=0
// DUMP 0: [8] * 8
kernel void k(global uint *h)
{
    local uint t[8];
    int l = get_local_id(0);
    if (l < 8) t[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&t[get_global_id(0) % 8]);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 8) atomic_add(&h[l], t[l]);
}
