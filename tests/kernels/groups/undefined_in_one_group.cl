// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=4 --arg=int[64]=0
// SAYS: group (9,0,0)
kernel void undefined(global int *p)
{
    int x;
    if (get_group_id(0) != 9) x = get_local_id(0);
    p[get_global_id(0)] = x > 2 ? 1 : 2; // EXPECT uninitialized-read 'x'
}
