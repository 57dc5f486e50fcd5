// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=int[16]=iota
// As many work-items as elements: every pair is swapped twice, at once.
kernel void k(global int *x)
{
    const int i = get_global_id(0);
    const int v = x[i]; // OTHER data-race
    x[i] = x[15 - i]; // EXPECT data-race 'x'
    x[15 - i] = v; // EXPECT data-race 'x'
}
