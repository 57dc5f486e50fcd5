// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=1 --arg=int[1]=0
// RUN: --global=64 --local=4 --arg=int[1]=0
// SAYS: group (0,0,0)
kernel void all_write(global int *p)
{
    p[0] = get_global_id(0); // EXPECT data-race 'p'
}
