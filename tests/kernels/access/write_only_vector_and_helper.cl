// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=wo:int[16]=1 --arg=int4[4]=0
// DUMP 1: [1] * 16
// SAYS: in 'get' called from
int4 get(global int *p, int i)
{
    return vload4(i, p); // EXPECT write-only-read 'x'
}
kernel void copy(global int *x, global int4 *out)
{
    int i = get_global_id(0);
    if (i < 4)
        out[i] = get(x, i);
}
