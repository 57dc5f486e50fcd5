// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=16 --arg=uchar[64]=0
// A store of four bytes over the bytes of the neighbors.
kernel void overlap(global uchar *a)
{
    int i = get_global_id(0);
    vstore4((uchar4)(i), 0, a + 2 * i); // EXPECT data-race 'a'
}
