// SPDX-License-Identifier: MIT
// RUN: --build-options=-cl-std=CL3.0 --global=16 --local=16 --arg=int[32]=0
// Those before the first that has no value have a sum.
kernel void k(global int *r)
{
    int i = get_global_id(0), v;
    if (i < 9) v = i;
    int before = work_group_scan_exclusive_add(v), with = work_group_scan_inclusive_add(v);
    if (i < 10) r[i] = before;
    if (i < 10) r[16 + i] = with; // EXPECT uninitialized-read 'v'
}
