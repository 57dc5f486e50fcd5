// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[4]=0
// DUMP 0: [1, 1, 1, 1]
kernel void count(volatile global int *a)
{
    atomic_inc(&a[get_global_id(0)]); // EXPECT out-of-bounds 'a'
}
