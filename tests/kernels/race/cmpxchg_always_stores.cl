// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=16 --arg=int[1]=0 --arg=int[64]=0
// OpenCL C 1.x: "(old == cmp) ? val : old" is stored in either case.
kernel void k(global int *a, global int *o)
{
    atomic_cmpxchg(a, 5, 7); // OTHER data-race
    o[get_global_id(0)] = a[0]; // EXPECT data-race 'a'
}
