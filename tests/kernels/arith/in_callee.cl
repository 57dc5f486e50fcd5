// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=0
// DUMP 0: [None if i == 3 else int(60 / (i - 3)) for i in range(8)]
// SAYS: in 'ratio' called from
int ratio(int a, int b)
{
    return a / b; // EXPECT division-by-zero
}
kernel void divide(global int *out)
{
    int i = get_global_id(0);
    out[i] = ratio(60, i - 3);
}
