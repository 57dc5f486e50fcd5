// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=ro:int[4]=1
// DUMP 0: [1, 9, 1, 1]
// SAYS: write of 4 bytes to read-only global memory 'x'
kernel void set(global int *x)
{
    if (get_global_id(0) == 1)
        x[1] = 9; // EXPECT read-only-write 'x'
}
