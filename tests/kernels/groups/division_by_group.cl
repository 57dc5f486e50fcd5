// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=2 --arg=int[32]=0
// SAYS: work-item local (0,0,0) global (14,0,0), group (7,0,0)
kernel void divide(global int *p)
{
    p[get_global_id(0)] = 100 / ((int)get_group_id(0) - 7); // EXPECT division-by-zero
}
