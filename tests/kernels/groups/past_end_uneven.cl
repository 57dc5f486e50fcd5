// SPDX-License-Identifier: MIT
// RUN: --build-options=-cl-std=CL3.0 --global=10,3 --local=4,2 --arg=int[30]=0
// SAYS: work-item local (1,0,0) global (9,2,0), group (2,1,0)
kernel void stray(global int *p)
{
    int x = get_global_id(0), y = get_global_id(1);
    p[y * 10 + x + (x == 9 && y == 2)] = x; // EXPECT out-of-bounds 'p'
}
