// SPDX-License-Identifier: MIT
// RUN: --kernel=turn --global=8,8 --local=4,4 --arg=int[64]=iota
// Half of the square swaps with the other half: right, but for the diagonal's neighbors, where `<=` lets both of a pair swap.
kernel void turn(global int *a)
{
    int x = get_global_id(0), y = get_global_id(1);
    if (x <= y + 1) {
        int t = a[8 * y + x]; // OTHER data-race
        a[8 * y + x] = a[8 * x + y]; // EXPECT data-race 'a'
        a[8 * x + y] = t; // EXPECT data-race 'a'
    }
}
