// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[8]=100,0,-1,0,0,1000,0,7 --arg=uint[1]=0
// DUMP 0: [100 + sum(range(64)), -sum(range(64)), 0, 127, 0 ^ 0, 0, 63, 7]
// DUMP 1: [63]
kernel void every(volatile global int *a, volatile global uint *u)
{
    int i = get_global_id(0);
    atomic_add(&a[0], i);
    atomic_sub(&a[1], i);
    atomic_and(&a[2], ~(i | 63) & 63);
    atomic_or(&a[3], i | 64);
    atomic_xor(&a[4], i);
    atomic_min(&a[5], i);
    atomic_max(&a[6], i);
    atomic_cmpxchg(&a[7], 8, i);
    atomic_max(u, (uint)i);
}
