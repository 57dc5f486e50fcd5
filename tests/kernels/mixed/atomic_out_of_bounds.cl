// SPDX-License-Identifier: MIT
// RUN: --global=16 --local=4 --arg=int[8]=0
kernel void k(global int *h)
{
    atomic_inc(&h[get_global_id(0)]); // EXPECT out-of-bounds 'h'
}
