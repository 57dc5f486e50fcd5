// SPDX-License-Identifier: MIT
// RUN: --global=32 --local=8 --arg=int[1]=0
kernel void winner(global int *out)
{
    if (get_local_id(0) == 5)
        out[0] = get_group_id(0); // EXPECT data-race 'out'
}
