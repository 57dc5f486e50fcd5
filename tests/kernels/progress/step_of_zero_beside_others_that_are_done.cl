// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=64 --arg=uint[64]=0 --arg=uint[64]=iota
// One work-item repeats the same state forever; the counters of the finished ones are dead, so their values do not matter.
kernel void steps(global uint *out, global const uint *step)
{
    uint l = get_local_id(0), rounds = 0;
    for (uint i = l; i < 100; i += step[l]) { // EXPECT no-progress
        if (i & 1) rounds = i;
    }
    out[l] = rounds;
}
