// SPDX-License-Identifier: MIT
// RUN: --global=128 --local=8 --arg=uint[128]=iota --arg=long[16]=0 --arg=long=5
// RUN: --global=128 --local=4 --arg=uint[128]=iota --arg=long[16]=0 --arg=long=5
// RUN: --global=128 --local=128 --arg=uint[128]=iota --arg=long[16]=0 --arg=long=5
// SAYS: = all of them store the same value
// Places come from memory, and the value is that of the launch: machine code counts the flags that several work-items set, at the ends of the
// buffer, too.
kernel void k(global const uint *place, global long *flag, long value)
{
    const uint p = place[get_global_id(0)];
    if (p & 1) flag[p / 8] = value * 3; // EXPECT same-value-race 'flag'
}
