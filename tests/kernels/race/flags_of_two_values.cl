// SPDX-License-Identifier: MIT
// RUN: --global=128 --local=8 --arg=uint[128]=iota --arg=int[16]=0
// RUN: --global=128 --local=2 --arg=uint[128]=iota --arg=int[16]=0
// As flags_by_data.cl, but the last work-item stores another value.
kernel void k(global const uint *place, global int *flag)
{
    const uint p = place[get_global_id(0)];
    if (p & 1) flag[p / 8] = p == 127 ? 2 : 1; // EXPECT data-race 'flag'
}
