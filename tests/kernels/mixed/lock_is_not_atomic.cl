// SPDX-License-Identifier: MIT
// Test, then set: two steps.
// RUN: --global=16 --local=1 --arg=int[1]=0 --arg=int[1]=0
kernel void k(volatile global int *lock, global int *sum)
{
    if (lock[0] == 0) { // OTHER data-race
        lock[0] = 1; // EXPECT data-race 'lock'
    }
}
