// SPDX-License-Identifier: MIT
// RUN: --global=96 --local=3 --arg=int[96]=0
// SAYS: work-item local (2,0,0) global (5,0,0), group (1,0,0)
// SAYS: 48 times in 16 work-groups
kernel void stray(global int *p)
{
    int i = get_global_id(0);
    for (int k = 0; k < 3; k++)
        if (get_group_id(0) % 2 && get_local_id(0) == 2) p[96 + k * i] = i; // EXPECT out-of-bounds 'p'
}
