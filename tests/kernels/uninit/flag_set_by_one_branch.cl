// SPDX-License-Identifier: MIT
// RUN: --kernel=flag --global=4 --local=4 --arg=int[4]=iota --arg=int[4]=0
kernel void flag(global const int *a, global int *o)
{
    int i = get_global_id(0);
    bool found;
    if (a[i] == 2) found = true;
    o[i] = found ? 1 : 0; // EXPECT uninitialized-read 'found'
}
