// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int4[4]=0
kernel void k(global int4 *o)
{
    int4 v;
    v.x = 1; v.y = 2; v.z = 3;
    o[get_global_id(0)] = v; // EXPECT uninitialized-read 'v'
}
