// SPDX-License-Identifier: MIT
// RUN: --global=2 --local=2 --arg=int4[1]=0
kernel void k(global int4 *o) {
    if (get_local_id(0)) o->y = 1; // OTHER data-race
    else *o = (int4)(2); // EXPECT data-race 'o'
}
