// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=uchar[14]=0
kernel void k(global uchar *o)
{
    int i = get_global_id(0);
    vstore4((uchar4)(1, 2, 3, 4), i, o); // EXPECT out-of-bounds 'o'
}
