// SPDX-License-Identifier: MIT
// RUN: --build-options=-cl-std=CL3.0 --global=16 --local=16 --arg=int[32]=0
// One that is defined may settle it.
kernel void k(global int *r)
{
    int i = get_global_id(0), no, yes;
    if (i < 3) no = 0, yes = 1;
    if (work_group_all(no)) r[i] = 1;
    if (work_group_any(yes)) r[i] = 2;
    if (work_group_any(no)) r[i] = 3; // EXPECT uninitialized-read 'no'
    if (work_group_all(yes)) r[i] = 4; // EXPECT uninitialized-read 'yes'
}
