// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int4[1]=0
kernel void k(global int4 *v)
{
    switch (get_local_id(0)) {
    case 0: v->x = 1; break;
    case 1: v->y = 1; break; // EXPECT data-race 'v'
    case 2: v->y = 2; break; // OTHER data-race
    default: v->w = 1;
    }
}
