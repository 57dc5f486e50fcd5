// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=0
// NOTE: nothing leads out of the loop
// NOTE: the launch was ended here: what it would have done after that was not checked
kernel void k(global int *o)
{
    for (;;) // EXPECT no-progress
        o[get_global_id(0)]++;
}
