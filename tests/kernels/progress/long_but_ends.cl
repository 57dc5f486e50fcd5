// SPDX-License-Identifier: MIT
// Many rounds that write nothing, but end.
// RUN: --global=4 --local=4 --arg=uint[4]=0
// DUMP 0: [u32((4000000 * 3 + i)) for i in range(N)]
kernel void k(global uint *o)
{
    uint x = get_global_id(0);
    for (int i = 0; i < 4000000; i++) x += 3;
    o[get_global_id(0)] = x;
}
