// SPDX-License-Identifier: MIT
// A loop whose condition never changes: it is reported, and the launch ends.
// RUN: --global=4 --local=4 --arg=int[4]=0 --arg=int=1
// NOTE: it returned to the state of an earlier iteration, and nothing was written in between
// NOTE: the launch was ended here; the rest of it was not checked
kernel void k(global int *o, int x)
{
    while (x) // EXPECT no-progress
        ;
    o[get_global_id(0)] = 1;
}
