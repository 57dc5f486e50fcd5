// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=4 --arg=wo:int[8]=5
// DUMP 0: [6] * 8
// SAYS: read of 4 bytes of write-only global memory 'out'
// SAYS: 8 times in 2 work-groups
kernel void more(global int *out)
{
    out[get_global_id(0)] += 1; // EXPECT write-only-read 'out'
}
