// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=1 --arg=uint[64]=iota --arg=uchar[64]=0
// RUN: --global=64 --local=64 --arg=uint[64]=iota --arg=uchar[64]=0
// Places come from memory: machine code counts the stores, and two of them are to the last byte.
kernel void k(global const uint *place, global uchar *o)
{
    const uint p = place[get_global_id(0)];
    o[p < 62 ? p : 63] = (uchar)p; // EXPECT data-race 'o'
}
