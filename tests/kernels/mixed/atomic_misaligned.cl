// SPDX-License-Identifier: MIT
// RUN: --global=4 --local=4 --arg=uchar[8]=0
kernel void k(global uchar *h)
{
    atomic_inc((global int *)(h + 2)); // EXPECT misaligned-access 'h'
}
