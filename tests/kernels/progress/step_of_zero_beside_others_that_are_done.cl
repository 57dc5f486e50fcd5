// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=64 --arg=uint[64]=0 --arg=uint[64]=iota
// One goes on from where it is for ever; what the others counted with is wanted no more, whatever becomes of it.
kernel void steps(global uint *out, global const uint *step)
{
    uint l = get_local_id(0), rounds = 0;
    for (uint i = l; i < 100; i += step[l]) { // EXPECT no-progress
        if (i & 1) rounds = i;
    }
    out[l] = rounds;
}
