// SPDX-License-Identifier: MIT
// RUN: --global=64 --local=64 --arg=int[4]=0 --arg=int[64]=0
// DUMP 1: [7] * N
// SAYS: = all work-items store the same value here, also the one that reads
// Each reads what all have stored, itself as well: reported with the read where that stands in front.
kernel void same(global int *x, global int *out)
{
    for (int i = 0; i < 2; i++) {
        if (i) out[get_global_id(0)] = x[1]; // OTHER same-value-race
        x[1] = 7; // EXPECT same-value-race 'x'
    }
}
