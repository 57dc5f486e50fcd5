// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --sub-group-size=8 --arg=int[8]=0 --arg=int[8]=0
// Within 8 lanes of both values, and past them.
kernel void k(global int *a, global int *b)
{
    int l = get_local_id(0);
    a[l] = intel_sub_group_shuffle_down(l, l + 8, 8u);
    b[l] = intel_sub_group_shuffle_down(l, l + 8, 9u); // EXPECT uninitialized-read
}
