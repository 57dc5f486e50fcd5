// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=4 --arg=int[16]=0
// SAYS: group (0,0,0)
// SAYS: in 16 work-groups
kernel void per_group(global int *p)
{
    p[get_group_id(0)] = get_local_id(0); // EXPECT data-race 'p'
}
