// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=ro:int[8]=0
kernel void k(global int *x)
{
    x[get_global_id(0)] = 1; // EXPECT read-only-write 'x'
}
