// SPDX-License-Identifier: MIT
// RUN: --kernel=cols --global=4,4 --local=4,4 --arg=int[16]=iota
// Rows are swapped in place without a barrier: (x, y) with (x, 3 - y).
kernel void cols(global int *a)
{
    int x = get_local_id(0), y = get_local_id(1);
    int v = a[4 * (3 - y) + x]; // OTHER data-race
    a[4 * y + x] = v; // EXPECT data-race 'a'
}
