// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=int[4]=0
// SAYS: variable 'x'
// SAYS: 2 times
kernel void k(global int *out)
{
    int i = get_global_id(0);
    switch (i & 1) {
    case 0:;
        int x = 3;
        out[i] = x;
        break;
    default:
        out[i] = x; // EXPECT uninitialized-read 'x'
    }
}
