// SPDX-License-Identifier: MIT
// RUN: --global=12 --local=12 --sub-group-size=8 --arg=int[12]=0 --arg=double[12]=0 --arg=long[12]=0 --arg=int[12]=0 --arg=int[12]=0 --build-options=-cl-std=CL3.0
// SAYS: an undefined value is stored to global memory
// SAYS: was asked for the value of a work-item that is not in the sub-group, or not active here
// SAYS: help: Ask only for work-items that are in the sub-group
kernel void k(global int *a, global double *b, global long *c, global int *d, global int *e) {
    int l = get_local_id(0), lane = get_sub_group_local_id();
    a[l] = sub_group_shuffle(l, lane ^ 4); // EXPECT uninitialized-read
    b[l] = sub_group_shuffle_xor((double)l, 8); // EXPECT uninitialized-read
    c[l] = sub_group_shuffle_down((long)l, 1); // EXPECT uninitialized-read
    int up = sub_group_shuffle_up(l, 1);
    if (up > 3) d[l] = 1; // EXPECT uninitialized-read
    int r = 5;
    if (lane != 2) r = sub_group_non_uniform_broadcast(l, 2) + sub_group_rotate(l, 1);
    e[l] = r; // EXPECT uninitialized-read
}
