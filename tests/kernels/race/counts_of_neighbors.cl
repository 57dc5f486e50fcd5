// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=8 --arg=int[80]=0
// SAYS: = 2 times between work-groups; shown once
// Elements next to each other that the same two work-items store to count one by one, as all others do.
kernel void k(global int *e)
{
    const int i = get_global_id(0), n = i == 7 ? 3 : i == 8 ? 2 : 1;
    if (i < 7 || i > 8) return;
    for (int k = 0; k < n; k++) e[i + k] = 1; // EXPECT same-value-race 'e'
}
