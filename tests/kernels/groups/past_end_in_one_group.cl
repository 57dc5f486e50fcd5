// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=2 --arg=int[64]=0
// SAYS: work-item local (1,0,0) global (35,0,0), group (17,0,0)
kernel void stray(global int *p)
{
    int i = get_global_id(0);
    p[i == 35 ? 64 : i] = i; // EXPECT out-of-bounds 'p'
}
