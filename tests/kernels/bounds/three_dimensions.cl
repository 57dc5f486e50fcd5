// SPDX-License-Identifier: MIT
// RUN: --global=2,2,3 --local=2,1,1 --arg=int[11]=0
// DUMP 0: [k + 1 for k in range(11)]
// SAYS: local (1,0,0) global (1,1,2), group (0,1,2)
kernel void volume(global int *a)
{
    int at = (get_global_id(2) * 2 + get_global_id(1)) * 2 + get_global_id(0);
    a[at] = at + 1; // EXPECT out-of-bounds 'a'
}
