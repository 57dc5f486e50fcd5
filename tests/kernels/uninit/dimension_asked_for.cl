// SPDX-License-Identifier: MIT
// RUN: --kernel=sizes --global=4,2 --local=2,2 --arg=int[8]=0
// Which dimension is asked for was never written: so was the size.
kernel void sizes(global int *o)
{
    int d, i = get_global_id(1) * 4 + get_global_id(0);
    int n = get_local_size(d);
    if (n == 2)   // EXPECT uninitialized-read 'd'
        o[i] = 1;
}
