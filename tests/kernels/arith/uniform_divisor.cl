// SPDX-License-Identifier: MIT
// RUN: --global=8 --local=8 --arg=int[8]=iota --arg=int=0
// DUMP 0: None
kernel void divide(global int *a, int d)
{
    a[get_global_id(0)] /= d; // EXPECT division-by-zero
}
