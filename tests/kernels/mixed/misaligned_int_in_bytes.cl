// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=uchar[20]=1 --arg=int[4]=0
kernel void k(global uchar *x, global int *o)
{
    int i = get_global_id(0);
    o[i] = *(global int *)(x + 3); // EXPECT misaligned-access 'x'
}
