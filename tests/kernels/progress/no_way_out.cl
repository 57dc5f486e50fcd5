// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=0
// NOTE: the loop has no exit
// NOTE: the launch was ended here; the rest of it was not checked
kernel void k(global int *o)
{
    for (;;) // EXPECT no-progress
        o[get_global_id(0)]++;
}
