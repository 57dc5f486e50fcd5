// SPDX-License-Identifier: MIT
// The values would be there if there were a barrier: one error. The second loop reads what its last trip wrote.
// RUN: --global=64 --local=64 --arg=int[64]=undef --arg=int[64]=undef --arg=int[64]=0
kernel void k(global int *x, global int *y, global int *out)
{
    int i = get_global_id(0), s = 0;
    x[i] = i;       // EXPECT data-race 'x'
    s += x[63 - i]; // OTHER data-race
    for (int n = 0; n < 2; n++) {
        if (n) s += y[63 - i]; // OTHER data-race
        y[i] = n;              // EXPECT data-race 'y'
    }
    out[i] = s;
}
