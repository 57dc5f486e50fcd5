// SPDX-License-Identifier: MIT
// RUN: --build-options=-cl-std=CL3.0 --global=16 --local=16 --arg=int[32]=0
kernel void k(global int *r)
{
    int i = get_global_id(0), v, w;
    if (i == 9) v = 4;
    r[i] = work_group_broadcast(v, 9);
    if (i != 9) w = 4;
    r[16 + i] = work_group_broadcast(w, 9); // EXPECT uninitialized-read 'w'
}
